import { BadInputError } from '../protocol/bad-input.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import { type Address, type Hex, parseHex } from '../protocol/hex.ts';
import { parseRawLog } from '../protocol/parse-log.ts';
import type { Call, Endpoint, Reply } from './endpoint.ts';
import type { RpcClient } from './rpc-client.ts';

export interface BlockHeader {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly time: number;
  readonly logsBloom: Hex;
}

/** The RPC requests that the indexer makes to one chain. */
export interface ChainNode {
  readonly chainId: number;
  fetchBlock(at: number | 'latest' | 'finalized'): Promise<BlockHeader | null>;
  fetchBlockByHash(hash: Hex): Promise<BlockHeader | null>;
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

/** Blocks per batch request, when logs have no blockTimestamp. */
const BLOCKS_PER_BATCH = 50;

export function createChainNode({ chainId, contracts, topics, client }: ChainNodeOptions): ChainNode {
  const filter = { address: contracts, topics: [topics] };
  const logsCall = (where: object): Call => ({ method: 'eth_getLogs', params: [{ ...filter, ...where }] });
  const parseLogs = (endpoint: Endpoint, result: unknown) => readLogs(chainId, endpoint, result);

  return {
    chainId,
    fetchBlock: (at) => client.request(async (endpoint) => parseBlock(await endpoint.send(blockCall(at)))),
    fetchBlockByHash: (hash) =>
      client.request(async (endpoint) => {
        const block = await endpoint.send({ method: 'eth_getBlockByHash', params: [hash, false] });
        return parseBlock(block);
      }),
    fetchRange: (from, to) =>
      client.request(async (endpoint) => {
        const range = { fromBlock: quantity(from), toBlock: quantity(to) };
        const [logs, block] = await endpoint.sendBatch([logsCall(range), blockCall(to)]);
        const last = parseBlock(resultOf(block));
        if (last === null) throw new BadInputError(`block ${to} is final, but the node does not have it`);
        return { logs: await parseLogs(endpoint, resultOf(logs)), last };
      }),
    fetchLogs: (block) =>
      client.request(async (endpoint) => {
        const logs = await parseLogs(endpoint, await endpoint.send(logsCall({ blockHash: block.hash })));
        const stray = logs.find((log) => log.blockHash !== block.hash);
        if (stray !== undefined)
          throw new BadInputError(`got a log of block ${stray.blockHash} instead of ${block.hash}`);
        return logs;
      }),
  };
}

function blockCall(at: number | 'latest' | 'finalized'): Call {
  return { method: 'eth_getBlockByNumber', params: [typeof at === 'number' ? quantity(at) : at, false] };
}

const quantity = (value: number) => `0x${value.toString(16)}`;

function resultOf(reply: Reply | undefined): unknown {
  if (reply === undefined) throw new BadInputError('a response of the batch is missing');
  if ('error' in reply) throw reply.error;
  return reply.result;
}

function parseBlock(result: unknown): BlockHeader | null {
  if (result === null) return null;
  const block = result as Record<string, unknown>;
  const hex = (field: string): Hex => {
    const value = parseHex(block[field]);
    if (value === null) throw new BadInputError(`block without ${field}`);
    return value;
  };
  const number = Number(block.number);
  const time = Number(block.timestamp);
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(time)) {
    throw new BadInputError('block without number or timestamp');
  }
  return { number, time, hash: hex('hash'), parentHash: hex('parentHash'), logsBloom: hex('logsBloom') };
}

/** Parses logs. A missing blockTimestamp is taken from the block, which is fetched once. */
async function readLogs(chainId: number, endpoint: Endpoint, result: unknown): Promise<ChainLog[]> {
  if (!Array.isArray(result)) throw new BadInputError('logs are not an array');
  const bare = result.filter(({ blockTimestamp }) => typeof blockTimestamp !== 'string');
  const times = await fetchTimes(endpoint, bare);
  return result.map((log) =>
    parseRawLog({ ...log, chainId, blockTimestamp: log.blockTimestamp ?? times.get(String(log.blockHash)) }),
  );
}

async function fetchTimes(endpoint: Endpoint, logs: readonly { blockHash?: unknown }[]): Promise<Map<string, string>> {
  const hashes = [...new Set(logs.map(({ blockHash }) => String(blockHash)))];
  const times = new Map<string, string>();
  for (let i = 0; i < hashes.length; i += BLOCKS_PER_BATCH) {
    const chunk = hashes.slice(i, i + BLOCKS_PER_BATCH);
    const calls = chunk.map((hash): Call => ({ method: 'eth_getBlockByHash', params: [hash, false] }));
    for (const [j, reply] of (await endpoint.sendBatch(calls)).entries()) {
      const block = parseBlock(resultOf(reply));
      if (block === null) throw new BadInputError(`block ${chunk[j]} has logs, but the node does not have it`);
      times.set(chunk[j] ?? '', quantity(block.time));
    }
  }
  return times;
}
