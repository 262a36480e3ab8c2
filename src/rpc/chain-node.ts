import { isDeepStrictEqual } from 'node:util';
import { BadInputError, fail } from '../errors/bad-input.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import { type Address, type Hex, toQuantity } from '../protocol/hex.ts';
import { type NodeLog, parseNodeLog } from '../protocol/parse-log.ts';
import { RemoteError } from '../remote/remote-error.ts';
import {
  type BlockHeader,
  blockByHashCall,
  blockCall,
  type ChainTrust,
  ContradictionError,
  checkBlooms,
  checkLogs,
  findDoubts,
  parseBlock,
  resultOf,
} from './check-logs.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { RpcClient } from './rpc-client.ts';

/** The state of a chain itself, as its nodes report it. */
export interface ChainHeads {
  readonly head: BlockHeader;
  /** What the nodes say, and not above the finality depth. Block 0 is always final. */
  readonly finalized: number;
}

export interface FetchedRange {
  readonly logs: readonly ChainLog[];
  /** Null if it was not fetched. */
  readonly last: BlockHeader | null;
}

export interface ChainNodeOptions {
  readonly chainId: number;
  readonly contracts: readonly Address[];
  /** Hashes of the event signatures, the first topic of a log. */
  readonly topics: readonly Hex[];
  readonly client: RpcClient;
  readonly trust: ChainTrust;
  readonly random?: () => number;
}

export type ChainNode = ReturnType<typeof createChainNode>;

/** The RPC requests that the indexer makes to one chain. Answers that contradict the request or themselves are faults. */
export function createChainNode(options: ChainNodeOptions) {
  const { chainId, contracts, topics, client, trust, random = Math.random } = options;
  const clock = new BlockClock(chainId);
  /** The highest block that each node has shown. */
  const heights = new Map<Endpoint, number>();
  const filter = { address: contracts, topics: [topics] };
  const logsCall = (where: object): Call => ({ method: 'eth_getLogs', params: [{ ...filter, ...where }] });
  /** Notes that a node has a block. */
  const learn = <T extends BlockHeader | null>(endpoint: Endpoint, block: T): T => {
    if (block === null) return block;
    clock.add(block);
    heights.set(endpoint, Math.max(heights.get(endpoint) ?? -1, block.number));
    return block;
  };
  const readBlock = async (endpoint: Endpoint, number: number) =>
    learn(endpoint, parseBlock(await endpoint.send(blockCall(number)), { number }));
  const readHeads = async (endpoint: Endpoint): Promise<ChainHeads | null> => {
    // In this order, because the chain may grow between the two.
    const replies = await endpoint.sendBatch([blockCall('finalized'), blockCall('latest')]);
    const [finalized = null, head = null] = replies.map((reply) => learn(endpoint, parseBlock(resultOf(reply), {})));
    if (finalized === null || head === null) return null;
    if (finalized.number > head.number)
      throw new BadInputError(`block ${finalized.number} is said to be final, but the head is block ${head.number}`);
    return { head, finalized: Math.max(0, Math.min(finalized.number, head.number - trust.finalityDepth)) };
  };
  /** The heads that two nodes have reached. */
  const readComparedHeads = async (): Promise<ChainHeads> => {
    const answers = (await client.requestEach(readHeads)).filter((heads) => heads !== null);
    const [, second] = answers.toSorted((a, b) => b.head.number - a.head.number);
    const [, finalized] = answers.map((heads) => heads.finalized).sort((a, b) => b - a);
    if (second !== undefined && finalized !== undefined) return { head: second.head, finalized };
    const message = 'only one node answers, and COMPARE_NODES asks for two';
    throw new RemoteError(`chain ${chainId}`, 'eth_getBlockByNumber', { kind: 'unreachable', message });
  };

  /** Adds the blocks with these hashes that are not in `blocks`. */
  const addBlocks = async (endpoint: Endpoint, blocks: Map<Hex, BlockHeader>, hashes: Iterable<Hex>) => {
    const missing = [...hashes].filter((hash) => !blocks.has(hash));
    if (missing.length === 0) return;
    const replies = await endpoint.sendBatch(missing.map(blockByHashCall));
    for (const [i, hash] of missing.entries()) {
      const block = parseBlock(resultOf(replies[i]), { hash });
      if (block === null) throw new BadInputError(`block ${hash} has logs, but the node does not have it`);
      blocks.set(hash, block);
    }
  };

  /** Parses logs and adds the blocks of those that have no time of their own and none that the clock proves. */
  const readLogs = async (endpoint: Endpoint, result: unknown, blocks: Map<Hex, BlockHeader>, first: number) => {
    if (!Array.isArray(result)) throw new BadInputError('logs are not an array');
    const logs = result.map((log) => parseNodeLog(log, chainId));
    const timeless = logs.filter(({ blockTime, blockHash }) => blockTime === null && !blocks.has(blockHash));
    if (timeless.length > 0 && clock.lacks(first)) await readBlock(endpoint, first);
    const unproven = timeless.filter(({ blockNumber }) => clock.timeOf(blockNumber) === null);
    await addBlocks(endpoint, blocks, new Set(unproven.map(({ blockHash }) => blockHash)));
    const timeOf = ({ blockHash, blockNumber }: NodeLog) =>
      blocks.get(blockHash)?.time ?? clock.timeOf(blockNumber) ?? fail('blockTimestamp', 'a time', null);
    for (const log of logs) log.blockTime ??= timeOf(log);
    // Safe: each has a time now.
    return logs as ChainLog[];
  };
  /** Checks logs against each other, the known blocks, and the blocks of those that `sample` returns or that conflict. */
  const verifyLogs = async (
    endpoint: Endpoint,
    logs: readonly ChainLog[],
    blocks: Map<Hex, BlockHeader>,
    sample: readonly Hex[],
  ) => {
    await addBlocks(endpoint, blocks, new Set([...sample, ...findDoubts(logs, blocks.values())]));
    checkLogs(logs, { contracts, topics, blocks });
    if (trust.checksBlooms) await checkBlooms(logs, blocks);
  };
  const readLogsOf = async (endpoint: Endpoint, block: BlockHeader): Promise<ChainLog[]> => {
    const blocks = new Map([[block.hash, block]]);
    const result = await endpoint.send(logsCall({ blockHash: block.hash }));
    const logs = await readLogs(endpoint, result, blocks, block.number);
    const stray = logs.find((log) => log.blockHash !== block.hash);
    if (stray !== undefined) throw new BadInputError(`got a log of block ${stray.blockHash} instead of ${block.hash}`);
    await verifyLogs(endpoint, logs, blocks, []);
    return logs.sort((a, b) => a.logIndex - b.logIndex);
  };
  /** Throws unless another node has the same block with the same logs. */
  const compareNodes = async (endpoint: Endpoint, block: BlockHeader, logs: readonly ChainLog[]) => {
    const { number, hash } = block;
    const others = await client.requestEach(async (other) => {
      const found = await readBlock(other, number);
      if (found === null) throw new BadInputError(`block ${number} is missing`);
      return { host: other.host, found, logs: found.hash === hash ? await readLogsOf(other, found) : [] };
    }, endpoint);
    if (others.length === 0)
      throw new RemoteError(endpoint.host, 'compare', {
        kind: 'malformed',
        message: `no other node has block ${number}`,
      });
    for (const { host, found, logs: expected } of others) {
      if (found.hash !== hash)
        throw new ContradictionError(`block ${number} has hash ${hash}, but ${found.hash} at ${host}`);
      if (!isDeepStrictEqual(logs, expected))
        throw new ContradictionError(
          `block ${number} has ${logs.length} logs, but ${expected.length} or others at ${host}`,
        );
    }
  };
  /** The hash that each node has at a height. Nodes that fail, or that do not have the block, are left out. */
  const fetchHashes = async (number: number): Promise<Hex[]> => {
    const blocks = await client.requestEach((endpoint) => readBlock(endpoint, number));
    return blocks.filter((block) => block !== null).map(({ hash }) => hash);
  };
  /** Blocks of the first, the last and a random log. */
  const sampleOf = (logs: readonly ChainLog[]): Hex[] =>
    [logs[0], logs.at(-1), logs[Math.floor(random() * logs.length)]]
      .filter((log) => log !== undefined)
      .map(({ blockHash }) => blockHash);

  return {
    chainId,
    fetchBlock: (at: number) => client.request((endpoint) => readBlock(endpoint, at)),
    /** Null if the node has no such blocks yet. A node whose final block is above its head is at fault. */
    fetchHeads: () => (trust.comparesNodes ? readComparedHeads() : client.request(readHeads)),
    /** The number is known to the caller too: a block that has another one is not the requested block. */
    fetchBlockByHash: (hash: Hex, number: number) =>
      client.request(async (endpoint) => parseBlock(await endpoint.send(blockByHashCall(hash)), { hash, number })),
    fetchHashes,
    /** Throws if nodes are compared, and only one of them has the block. */
    async requireShared({ number, hash }: Pick<BlockHeader, 'number' | 'hash'>): Promise<void> {
      if (!trust.comparesNodes) return;
      const having = (await fetchHashes(number)).filter((known) => known === hash);
      if (having.length > 1) return;
      throw contradicted({ chainId }, `no second node has block ${number} with hash ${hash}`);
    },
    /**
     * The protocol's logs in a range of final blocks. If it is checked, the last block is fetched too, and some of the
     * logs are compared with their blocks.
     */
    fetchRange: (from: number, to: number, isChecked: boolean) =>
      client.request(async (endpoint): Promise<FetchedRange> => {
        // Of this node only: a wrong block of another one would contradict its logs.
        const blocks = new Map<Hex, BlockHeader>();
        // A node that lags behind the one that reported the head answers without the logs that it lacks.
        const needsLast = isChecked || (heights.get(endpoint) ?? -1) < to;
        const range = logsCall({ fromBlock: toQuantity(from), toBlock: toQuantity(to) });
        const replies = await endpoint.sendBatch(needsLast ? [range, blockCall(to)] : [range]);
        const last = needsLast ? learn(endpoint, parseBlock(resultOf(replies[1]), { number: to })) : null;
        if (needsLast && last === null) throw new BadInputError(`block ${to} is final, but the node does not have it`);
        if (last !== null) blocks.set(last.hash, last);
        const logs = await readLogs(endpoint, resultOf(replies[0]), blocks, from);
        const stray = logs.find(({ blockNumber }) => blockNumber < from || blockNumber > to);
        if (stray !== undefined)
          throw new BadInputError(`got a log of block ${stray.blockNumber} for blocks ${from} to ${to}`);
        await verifyLogs(endpoint, logs, blocks, isChecked ? sampleOf(logs) : []);
        return { logs, last };
      }),
    /** The protocol's logs in one block, by block hash. */
    fetchLogs: (block: BlockHeader) =>
      client.request(async (endpoint) => {
        const logs = await readLogsOf(endpoint, block);
        if (trust.comparesNodes) await compareNodes(endpoint, block, logs);
        return logs;
      }),
  };
}

/** An answer that other answers contradict: a fault of the nodes, so the request may be repeated later. */
export function contradicted(
  { chainId }: { readonly chainId: number },
  message: string,
  method = 'eth_getBlockByNumber',
) {
  return new RemoteError(`chain ${chainId}`, method, { kind: 'malformed', message });
}

interface Point {
  readonly number: number;
  /** Unix seconds. */
  readonly time: number;
}

/** Chains whose blocks are a fixed time apart: OP Mainnet, Base and their testnets. */
const SECONDS_PER_BLOCK: Readonly<Record<number, number>> = { 10: 2, 8453: 2, 84532: 2, 11155420: 2 };

/** The times of blocks between two known ones, on a chain whose blocks are a fixed time apart. */
export class BlockClock {
  readonly #seconds: number | undefined;
  #first: Point | undefined;
  #last: Point | undefined;

  constructor(chainId: number) {
    this.#seconds = SECONDS_PER_BLOCK[chainId];
  }

  /** Whether a block below all known ones would help. */
  lacks(number: number): boolean {
    return this.#seconds !== undefined && number < (this.#first?.number ?? Number.POSITIVE_INFINITY);
  }

  /** Learns the time of a block. */
  add({ number, time }: Point): void {
    if (number < (this.#first?.number ?? Number.POSITIVE_INFINITY)) this.#first = { number, time };
    if (number > (this.#last?.number ?? -1)) this.#last = { number, time };
  }

  /** Null unless the first and the last known block are as far apart as they must be: then the time is proven. */
  timeOf(number: number): number | null {
    const [seconds, first, last] = [this.#seconds, this.#first, this.#last];
    if (seconds === undefined || first === undefined || last === undefined) return null;
    if (number < first.number || number > last.number) return null;
    if (last.time - first.time !== seconds * (last.number - first.number)) return null;
    return first.time + seconds * (number - first.number);
  }
}
