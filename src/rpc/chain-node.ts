import { asObject, BadInputError } from '../errors/bad-input.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import { type Address, type Hex, parseHex, toQuantity } from '../protocol/hex.ts';
import { MAX_TIME, parseQuantity, parseRawLog, parseWord } from '../protocol/parse-log.ts';
import { checkLogs } from './check-logs.ts';
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
  /** The protocol's logs in a range of final blocks. Fetches the last block too: a node without it lacks the range. */
  fetchRange(from: number, to: number): Promise<{ logs: ChainLog[]; last: BlockHeader }>;
  /** The protocol's logs in one block, by block hash. */
  fetchLogs(block: BlockHeader): Promise<ChainLog[]>;
}

export interface ChainNodeOptions {
  readonly chainId: number;
  readonly contracts: readonly Address[];
  /** Hashes of the event signatures, the first topic of a log. */
  readonly topics: readonly Hex[];
  readonly client: RpcClient;
}

/** Blocks per batch request. */
const BLOCKS_PER_BATCH = 50;

export function createChainNode({ chainId, contracts, topics, client }: ChainNodeOptions): ChainNode {
  const filter = { address: contracts, topics: [topics] };
  const logsCall = (where: object): Call => ({ method: 'eth_getLogs', params: [{ ...filter, ...where }] });
  const readBlock = async (endpoint: Endpoint, at: number | 'latest' | 'finalized') =>
    parseBlock(await endpoint.send(blockCall(at)), typeof at === 'number' ? { number: at } : {});
  /** Fetches the block of each log that is not in `blocks`, from the same node, and checks the logs against them. */
  const readLogs = async (endpoint: Endpoint, result: unknown, blocks: Map<Hex, BlockHeader>) => {
    if (!Array.isArray(result)) throw new BadInputError('logs are not an array');
    const hashes = new Set(result.map((log) => parseWord('blockHash', asObject(log, 'log').blockHash)));
    await addBlocks(endpoint, blocks, [...hashes]);
    const logs = result.map((log) =>
      parseRawLog({ ...log, chainId, blockTimestamp: log.blockTimestamp ?? timeOf(blocks, log.blockHash) }),
    );
    checkLogs(logs, { contracts, topics, blocks });
    return logs;
  };

  return {
    chainId,
    fetchBlock: (at) => client.request((endpoint) => readBlock(endpoint, at)),
    fetchHeads: () =>
      client.request(async (endpoint) => {
        // In this order, because the chain may grow between the two.
        const replies = await endpoint.sendBatch([blockCall('finalized'), blockCall('latest')]);
        const [finalized = null, head = null] = replies.map((reply) => parseBlock(resultOf(reply), {}));
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
    fetchRange(from, to) {
      // Outside of the request, so that an attempt with another node does not fetch them again.
      const blocks = new Map<Hex, BlockHeader>();
      return client.request(async (endpoint) => {
        const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
        const [answer, block] = await endpoint.sendBatch([logsCall(range), blockCall(to)]);
        const last = parseBlock(resultOf(block), { number: to });
        if (last === null) throw new BadInputError(`block ${to} is final, but the node does not have it`);
        blocks.set(last.hash, last);
        const logs = await readLogs(endpoint, resultOf(answer), blocks);
        const stray = logs.find(({ blockNumber }) => blockNumber < from || blockNumber > to);
        if (stray !== undefined)
          throw new BadInputError(`got a log of block ${stray.blockNumber} for blocks ${from} to ${to}`);
        const orphan = logs.find(({ blockNumber, blockHash }) => blockNumber === to && blockHash !== last.hash);
        if (orphan !== undefined)
          throw new BadInputError(`got a log of block ${orphan.blockHash} at the height of ${last.hash}`);
        return { logs, last };
      });
    },
    fetchLogs: (block) =>
      client.request(async (endpoint) => {
        const blocks = new Map([[block.hash, block]]);
        const logs = await readLogs(endpoint, await endpoint.send(logsCall({ blockHash: block.hash })), blocks);
        const stray = logs.find((log) => log.blockHash !== block.hash);
        if (stray !== undefined)
          throw new BadInputError(`got a log of block ${stray.blockHash} instead of ${block.hash}`);
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

async function addBlocks(endpoint: Endpoint, blocks: Map<Hex, BlockHeader>, hashes: readonly Hex[]): Promise<void> {
  const missing = hashes.filter((hash) => !blocks.has(hash));
  for (let i = 0; i < missing.length; i += BLOCKS_PER_BATCH) {
    const chunk = missing.slice(i, i + BLOCKS_PER_BATCH);
    const replies = await endpoint.sendBatch(chunk.map(blockByHashCall));
    for (const [j, hash] of chunk.entries()) {
      const block = parseBlock(resultOf(replies[j]), { hash });
      if (block === null) throw new BadInputError(`block ${hash} has logs, but the node does not have it`);
      blocks.set(hash, block);
    }
  }
}

function timeOf(blocks: ReadonlyMap<Hex, BlockHeader>, hash: unknown): string | undefined {
  const block = blocks.get(parseWord('blockHash', hash));
  return block === undefined ? undefined : toQuantity(block.time);
}
