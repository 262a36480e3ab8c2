import { asObject, BadInputError } from '../errors/bad-input.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import { type Address, type Hex, parseHex, toQuantity } from '../protocol/hex.ts';
import { MAX_TIME, parseQuantity, parseRawLog, parseWord } from '../protocol/parse-log.ts';
import { BlockClock } from './block-clock.ts';
import { checkLogs, findDoubts } from './check-logs.ts';
import type { Call, Endpoint, RpcReply } from './endpoint.ts';
import type { RpcClient } from './rpc-client.ts';

export interface BlockHeader {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly time: number;
  readonly logsBloom: Hex;
}

/** The state of a chain itself, as one of its nodes reports it. */
export interface ChainHeads {
  readonly head: BlockHeader;
  readonly finalized: number;
}

export interface FetchedRange {
  readonly logs: readonly ChainLog[];
  /** Null if it was not fetched. */
  readonly last: BlockHeader | null;
}

/** The RPC requests that the indexer makes to one chain. Answers that contradict the request or themselves are faults. */
export interface ChainNode {
  readonly chainId: number;
  fetchBlock(at: number | 'latest' | 'finalized'): Promise<BlockHeader | null>;
  /** Null if the node has no such blocks yet. A node whose final block is above its head is at fault. */
  fetchHeads(): Promise<ChainHeads | null>;
  /** The number is known to the caller too: a block that has another one is not the requested block. */
  fetchBlockByHash(hash: Hex, number: number): Promise<BlockHeader | null>;
  /** The hash that each node has at a height. Nodes that fail, or that do not have the block, are left out. */
  fetchHashes(number: number): Promise<Hex[]>;
  /**
   * The protocol's logs in a range of final blocks. If it is checked, the last block is fetched too, and some of the
   * logs are compared with their blocks.
   */
  fetchRange(from: number, to: number, isChecked: boolean): Promise<FetchedRange>;
  /** The protocol's logs in one block, by block hash. */
  fetchLogs(block: BlockHeader): Promise<ChainLog[]>;
}

export interface ChainNodeOptions {
  readonly chainId: number;
  readonly contracts: readonly Address[];
  /** Hashes of the event signatures, the first topic of a log. */
  readonly topics: readonly Hex[];
  readonly client: RpcClient;
  readonly random?: () => number;
}

export function createChainNode(options: ChainNodeOptions): ChainNode {
  const { chainId, contracts, topics, client, random = Math.random } = options;
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
  const readBlock = async (endpoint: Endpoint, at: number | 'latest' | 'finalized') =>
    learn(endpoint, parseBlock(await endpoint.send(blockCall(at)), typeof at === 'number' ? { number: at } : {}));

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
    const raw = result.map((log) => asObject(log, 'log'));
    const hashOf = (log: RawFields) => parseWord('blockHash', log.blockHash);
    const provenTime = (log: RawFields) => clock.timeOf(parseQuantity('blockNumber', log.blockNumber));
    const timeless = raw.filter((log) => (log.blockTimestamp ?? null) === null && !blocks.has(hashOf(log)));
    if (timeless.length > 0 && clock.lacks(first)) await readBlock(endpoint, first);
    const unproven = timeless.filter((log) => provenTime(log) === null);
    await addBlocks(endpoint, blocks, new Set(unproven.map(hashOf)));
    return raw.map((log) => {
      const time = log.blockTimestamp ?? quantityOf(blocks.get(hashOf(log))?.time ?? provenTime(log));
      return parseRawLog({ ...log, chainId, blockTimestamp: time });
    });
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
  };
  /** Blocks of the first, the last and a random log. */
  const sampleOf = (logs: readonly ChainLog[]): Hex[] =>
    [logs[0], logs.at(-1), logs[Math.floor(random() * logs.length)]]
      .filter((log) => log !== undefined)
      .map(({ blockHash }) => blockHash);

  return {
    chainId,
    fetchBlock: (at) => client.request((endpoint) => readBlock(endpoint, at)),
    fetchHeads: () =>
      client.request(async (endpoint) => {
        // In this order, because the chain may grow between the two.
        const replies = await endpoint.sendBatch([blockCall('finalized'), blockCall('latest')]);
        const [finalized = null, head = null] = replies.map((reply) =>
          learn(endpoint, parseBlock(resultOf(reply), {})),
        );
        if (finalized === null || head === null) return null;
        if (finalized.number > head.number)
          throw new BadInputError(
            `block ${finalized.number} is said to be final, but the head is block ${head.number}`,
          );
        return { head, finalized: finalized.number };
      }),
    fetchBlockByHash: (hash, number) =>
      client.request(async (endpoint) => parseBlock(await endpoint.send(blockByHashCall(hash)), { hash, number })),
    async fetchHashes(number) {
      const blocks = await client.requestEach((endpoint) => readBlock(endpoint, number));
      return blocks.filter((block) => block !== null).map(({ hash }) => hash);
    },
    fetchRange(from, to, isChecked) {
      // Outside of the request, so that an attempt with another node does not fetch them again.
      const blocks = new Map<Hex, BlockHeader>();
      return client.request(async (endpoint) => {
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
      });
    },
    fetchLogs: (block) =>
      client.request(async (endpoint) => {
        const blocks = new Map([[block.hash, block]]);
        const result = await endpoint.send(logsCall({ blockHash: block.hash }));
        const logs = await readLogs(endpoint, result, blocks, block.number);
        const stray = logs.find((log) => log.blockHash !== block.hash);
        if (stray !== undefined)
          throw new BadInputError(`got a log of block ${stray.blockHash} instead of ${block.hash}`);
        await verifyLogs(endpoint, logs, blocks, []);
        return logs;
      }),
  };
}

function blockCall(at: number | 'latest' | 'finalized'): Call {
  return { method: 'eth_getBlockByNumber', params: [typeof at === 'number' ? toQuantity(at) : at, false] };
}

function blockByHashCall(hash: Hex): Call {
  return { method: 'eth_getBlockByHash', params: [hash, false] };
}

function resultOf(reply: RpcReply | undefined): unknown {
  if (reply === undefined) throw new BadInputError('a response of the batch is missing');
  if ('error' in reply) throw reply.error;
  return reply.result;
}

/** Rejects a block that is not the requested one. */
function parseBlock(result: unknown, asked: Partial<Pick<BlockHeader, 'number' | 'hash'>>): BlockHeader | null {
  if (result === null) return null;
  const raw = asObject(result, 'block');
  const logsBloom = parseHex(raw.logsBloom);
  if (logsBloom?.length !== BLOOM_LENGTH) throw new BadInputError('block without logsBloom');
  const block = {
    number: parseQuantity('number', raw.number),
    time: parseQuantity('timestamp', raw.timestamp, MAX_TIME),
    hash: parseWord('hash', raw.hash),
    parentHash: parseWord('parentHash', raw.parentHash),
    logsBloom,
  };
  const { number = block.number, hash = block.hash } = asked;
  if (block.number === number && block.hash === hash) return block;
  throw new BadInputError(`got block ${block.number} with hash ${block.hash} instead of ${number} with ${hash}`);
}

/** 256 bytes as hex with the prefix. */
const BLOOM_LENGTH = 514;

type RawFields = Readonly<Record<string, unknown>>;

const quantityOf = (number: number | null) => (number === null ? undefined : toQuantity(number));
