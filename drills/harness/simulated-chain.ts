import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { bloomOf } from '../../test/indexer/bloom-of.ts';

/** A chain in memory behind a JSON-RPC server. An EVM keeps the state of all blocks, which would dominate a soak. */
export interface SimulatedChain {
  readonly chainId: number;
  readonly url: string;
  head(): Block;
  /** Adds a block and returns its logs. */
  mine(logs: readonly Emitted[]): readonly RawLog[];
  /** Removes the newest blocks and returns the number of the last one that stays. */
  rollBack(depth: number): number;
  stop(): Promise<void>;
}

type Emitted = Pick<RawLog, 'address' | 'topics' | 'data'>;

interface Block {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: number;
  readonly logs: readonly RawLog[];
  readonly bloom: string;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Filter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly address: readonly string[];
  readonly topics: readonly (readonly string[])[];
}

/** The final block is this far behind the head. */
export const FINAL_DEPTH = 12;

const hex = (value: number) => `0x${value.toString(16)}`;

export async function startSimulatedChain(chainId: number, startTime: number): Promise<SimulatedChain> {
  const blocks: Block[] = [];
  const byHash = new Map<string, Block>();
  /** Makes the hashes of a new branch differ. */
  let branch = 0;

  const head = () => {
    const last = blocks.at(-1);
    if (last === undefined) throw new Error('the chain is empty');
    return last;
  };
  const mine = (emitted: readonly Emitted[], time: number): readonly RawLog[] => {
    const number = blocks.length;
    const parentHash = blocks.at(-1)?.hash ?? `0x${'0'.repeat(64)}`;
    const hash = `0x${createHash('sha256').update(`${chainId} ${number} ${branch} ${parentHash}`).digest('hex')}`;
    const place = { chainId, blockNumber: hex(number), blockHash: hash, blockTimestamp: hex(time) };
    const logs = emitted.map(({ address, topics, data }, index) => {
      return { ...place, address, topics, data, logIndex: hex(index), removed: false };
    });
    // Safe: the logs have hex strings only.
    const bloom = bloomOf(logs.flatMap(({ address, topics }) => [address, ...topics]) as `0x${string}`[]);
    const block = { number, hash, parentHash, time, logs, bloom };
    blocks.push(block);
    byHash.set(hash, block);
    return logs;
  };
  mine([], startTime);

  const find = (tag: unknown) => {
    if (tag === 'latest') return head();
    if (tag === 'finalized') return blocks[Math.max(0, blocks.length - 1 - FINAL_DEPTH)];
    return blocks[Number(tag)];
  };
  const show = (block: Block | undefined) =>
    block === undefined
      ? null
      : {
          number: hex(block.number),
          hash: block.hash,
          parentHash: block.parentHash,
          timestamp: hex(block.time),
          logsBloom: block.bloom,
        };
  const findLogs = ({ fromBlock, toBlock, blockHash, address, topics: [first = []] }: Filter) => {
    const [wanted, events] = [new Set(address.map((one) => one.toLowerCase())), new Set(first)];
    const within =
      blockHash === undefined
        ? blocks.slice(Number(fromBlock), Number(toBlock) + 1)
        : [byHash.get(blockHash)].filter((block) => block !== undefined);
    if (blockHash !== undefined && within.length === 0) throw new Error('unknown block');
    return within
      .flatMap(({ logs }) => logs)
      .filter(({ address: of, topics }) => wanted.has(of.toLowerCase()) && events.has(topics[0] ?? ''));
  };
  const answer = ({ id, method, params }: Call) => {
    const reply = (result: unknown) => ({ jsonrpc: '2.0', id, result });
    try {
      if (method === 'eth_chainId') return reply(hex(chainId));
      if (method === 'eth_blockNumber') return reply(hex(head().number));
      if (method === 'eth_getBlockByNumber') return reply(show(find(params[0])));
      if (method === 'eth_getBlockByHash') return reply(show(byHash.get(String(params[0]))));
      // Safe: Kith is the only client.
      if (method === 'eth_getLogs') return reply(findLogs(params[0] as Filter));
      throw new Error(`the method ${method} does not exist`);
    } catch (error) {
      return { jsonrpc: '2.0', id, error: { code: -32_000, message: String(error) } };
    }
  };
  const server = createServer(async (request, response) => {
    // Safe: Kith is the only client.
    const body = (await json(request)) as Call | Call[];
    const text = JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body));
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    chainId,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    head,
    // Several blocks may be of one second, so that the chain does not run ahead of the clock.
    mine: (logs) => mine(logs, Math.max(head().time, Math.floor(Date.now() / 1000))),
    rollBack(depth) {
      branch += 1;
      for (const { hash } of blocks.splice(blocks.length - depth)) byHash.delete(hash);
      return head().number;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
