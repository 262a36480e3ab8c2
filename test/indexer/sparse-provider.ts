import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Hex, toQuantity } from '../../src/protocol/hex.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Call } from '../../src/rpc/endpoint.ts';
import type { EvmNode } from './evm-node.ts';

/** A provider with a chain of any length in memory: the blocks between those with logs are computed. */
export interface SparseProvider extends Pick<EvmNode, 'chainId' | 'url' | 'request' | 'stop'> {
  /** Number of calls over HTTP, by method. */
  readonly calls: ReadonlyMap<string, number>;
  /** Number of blocks from the first to the last. */
  readonly blocks: number;
}

export interface SparseChain {
  readonly chainId: number;
  readonly first: number;
  /** The head, which is final. */
  readonly last: number;
  /** Their blocks are spread evenly over the chain. */
  readonly logs: readonly RawLog[];
  /** The most blocks of one request. */
  readonly maxBlocks: number;
  readonly hasTimes: boolean;
}

interface Request extends Call {
  readonly id: number;
}

interface Filter {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly topics: readonly (readonly string[])[];
}

const GENESIS_TIME = 1_600_000_000;
/** One slot of Ethereum in this many is empty. */
const EMPTY_SLOTS = 150;
const FULL_BLOOM = `0x${'f'.repeat(512)}`;

export async function startSparseProvider(chain: SparseChain): Promise<SparseProvider> {
  const { chainId, first, last, maxBlocks } = chain;
  const timeOf = (number: number) =>
    GENESIS_TIME + (chainId === 1 ? 12 * (number + Math.floor(number / EMPTY_SLOTS)) : 2 * number);
  const hashOf = (number: number): Hex => {
    const salt = createHash('sha256').update(`${chainId} ${number}`).digest('hex');
    // The number is a part of it, so that a block can be found by its hash.
    return `0x${number.toString(16).padStart(12, '0')}${salt.slice(12)}`;
  };
  const blocks = [...Map.groupBy(chain.logs, ({ blockNumber }) => blockNumber).values()];
  const numberOf = (index: number) => first + Math.floor(((index + 0.5) * (last - first)) / blocks.length);
  const placed = blocks.flatMap((logs, index) => {
    const number = numberOf(index);
    const place = { blockNumber: toQuantity(number), blockHash: hashOf(number) };
    const time = chain.hasTimes ? { blockTimestamp: toQuantity(timeOf(number)) } : {};
    return logs.map(({ address, topics, data, logIndex }) => {
      return { number, log: { address, topics, data, logIndex, ...place, ...time } };
    });
  });
  const headerOf = (number: number) =>
    number > last
      ? null
      : {
          number: toQuantity(number),
          hash: hashOf(number),
          parentHash: hashOf(number - 1),
          timestamp: toQuantity(timeOf(number)),
          logsBloom: FULL_BLOOM,
        };
  /** The index of the first log at or above a block. */
  const indexOf = (number: number) => {
    let [low, high] = [0, placed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((placed[middle]?.number ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const findLogs = ({ fromBlock, toBlock, topics: [events = []] }: Filter) => {
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    if (to - from + 1 > maxBlocks) throw new Error(`please limit the query to at most ${maxBlocks} blocks`);
    const found = placed.slice(indexOf(from), indexOf(to + 1)).map(({ log }) => log);
    return found.filter(({ topics: [event = ''] }) => events.includes(event));
  };
  const calls = new Map<string, number>();
  const answer = ({ method, params: [param] }: Call): unknown => {
    if (method === 'eth_chainId') return toQuantity(chainId);
    if (method === 'eth_getBlockByNumber') return headerOf(/^0x/.test(String(param)) ? Number(param) : last);
    if (method === 'eth_getBlockByHash') return headerOf(Number(String(param).slice(0, 14)));
    // Safe: Kith is the only client.
    if (method === 'eth_getLogs') return findLogs(param as Filter);
    throw new Error(`the method ${method} does not exist`);
  };
  const reply = ({ id, method, params }: Request) => {
    calls.set(method, (calls.get(method) ?? 0) + 1);
    try {
      return { jsonrpc: '2.0', id, result: answer({ method, params }) };
    } catch (error) {
      return { jsonrpc: '2.0', id, error: { code: -32_005, message: (error as Error).message } };
    }
  };
  const server = createServer(async (request, response) => {
    // Safe: Kith is the only client.
    const body = (await json(request)) as Request | Request[];
    const text = JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body));
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    chainId,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    blocks: last - first + 1,
    // Safe: the callers know what the method returns.
    request: async <T>(method: string, params: readonly unknown[] = []) => answer({ method, params }) as T,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
