import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { backfill } from '../../src/indexer/backfill.ts';
import { createRangeSize } from '../../src/indexer/range-size.ts';
import { EVENT_TOPICS } from '../../src/protocol/decode-log.ts';
import { createChainNode } from '../../src/rpc/chain-node.ts';
import { type Call, createEndpoint } from '../../src/rpc/endpoint.ts';
import { createRpcClient } from '../../src/rpc/rpc-client.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, indexOnce } from './harness.ts';
import { type Answerer, NodeError, type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { expectCleanReplay, randomBlock } from './reorg-support.ts';
import { createTestState } from './test-state.ts';

const CHAIN = 8453;
const BLOCKS = 140;
const SEED = 41;
const TRUST = { finalityDepth: 0, checksBlooms: true, comparesNodes: false };

interface Filter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

/** The block range of an eth_getLogs call. Null for any other call. */
function rangeOf({ method, params: [filter] }: Call): { from: number; to: number } | null {
  const { fromBlock, toBlock } = (filter ?? {}) as Filter;
  return method === 'eth_getLogs' && fromBlock !== undefined ? { from: Number(fromBlock), to: Number(toBlock) } : null;
}

const lengthOf = (call: Call) => {
  const range = rangeOf(call);
  return range === null ? 0 : range.to - range.from + 1;
};

/** A provider with a limit of 16 blocks per range. */
const limited: Answerer = async (call, forward) => {
  if (lengthOf(call) > 16) throw new NodeError(-32_005, 'please limit the query to at most 16 blocks');
  return forward(call);
};

/** A provider whose logs have no blockTimestamp. */
const timeless: Answerer = async (call, forward) => {
  const answer = await forward(call);
  if (call.method !== 'eth_getLogs') return answer;
  return (answer as object[]).map((log) => ({ ...log, blockTimestamp: undefined }));
};

describe.each(anyEngine)(`backfill from a real node into $name (seed ${SEED})`, (engine) => {
  let evm: EvmNode;
  const own = useOwnDatabase(engine);
  let store: Store;

  beforeAll(async () => {
    evm = await startNode(CHAIN);
    await evm.install(addressesOn(CHAIN));
    const random = createRandom(SEED);
    for (let i = 0; i < BLOCKS; i++) await evm.mine(random.chance(0.8) ? randomBlock(random, CHAIN) : []);
  });
  afterAll(() => evm.stop());
  beforeEach(async () => {
    store = await own.open();
  });

  const startProxy = async (answer: Answerer): Promise<NodeProxy> => {
    const proxy = await startNodeProxy(evm.url, answer);
    onTestFinished(proxy.stop);
    return proxy;
  };
  /** Indexes the whole chain through a proxy with this behaviour. */
  const indexThrough = async (answer: Answerer): Promise<readonly Call[]> => {
    const { url, calls } = await startProxy(answer);
    await indexOnce(store, [evm], { rpcUrls: new Map([[CHAIN, [url]]]), ranksMs: 3_600_000 });
    return calls;
  };

  it('reads a short chain with a single request', async () => {
    const calls = await indexThrough((call, forward) => forward(call));
    expect(calls.map(rangeOf).filter((range) => range !== null)).toEqual([{ from: 0, to: BLOCKS - 2 }]);
    await expectCleanReplay(store, [evm]);
  });

  it('filters by the contracts and the five events of the protocol', async () => {
    const calls = await indexThrough((call, forward) => forward(call));
    const filters = calls.filter(({ method }) => method === 'eth_getLogs').map(({ params: [filter] }) => filter);
    const filter = { address: addressesOn(CHAIN), topics: [Object.values(EVENT_TOPICS)] };
    expect(filters.length).toBeGreaterThan(2);
    for (const requested of filters) expect(requested).toMatchObject(filter);
  });

  it('respects the range limit in the error of a provider', async () => {
    const calls = await indexThrough(limited);
    const lengths = calls.map(lengthOf).filter((length) => length > 0);
    expect(lengths.filter((length) => length > 16)).toEqual([BLOCKS - 1]);
    await expectCleanReplay(store, [evm]);
  });

  it('reads all logs from a provider that rejects large responses with a generic error', async () => {
    const calls = await indexThrough(async (call, forward) => {
      const answer = await forward(call);
      if (lengthOf(call) > 1 && (answer as unknown[]).length > 80) throw new NodeError(-32_603, 'Internal error');
      return answer;
    });
    const lengths = calls.map(lengthOf).filter((length) => length > 0);
    expect(lengths.slice(0, 2)).toEqual([BLOCKS - 1, Math.floor((BLOCKS - 1) / 2)]);
    expect(Math.min(...lengths)).toBeLessThan(40);
    await expectCleanReplay(store, [evm]);
  });

  const headersOf = (calls: readonly Call[]) => calls.filter(({ method }) => method === 'eth_getBlockByHash');

  it('compares three logs of a short chain with their blocks if logs have timestamps', async () => {
    const calls = await indexThrough((call, forward) => forward(call));
    expect(headersOf(calls).length).toBeGreaterThan(0);
    expect(headersOf(calls).length).toBeLessThanOrEqual(3);
    await expectCleanReplay(store, [evm]);
  });

  it('requests the block of each log of a range once if neither logs nor a fixed block time tell the time', async () => {
    const calls = await indexThrough(timeless);
    const requested = headersOf(calls).map(({ params: [hash] }) => hash);
    const topics: readonly string[] = Object.values(EVENT_TOPICS);
    const logs = (await evm.logs()).filter((log) => topics.includes(log.topics[0] ?? ''));
    // The last block of the range and those above are requested by number.
    const inside = logs.filter((log) => Number(log.blockNumber) < BLOCKS - 2);
    const hashes = new Set(inside.map((log) => log.blockHash));
    expect(hashes.size).toBeGreaterThan(50);
    expect([...requested].sort()).toEqual([...hashes].sort());
    await expectCleanReplay(store, [evm]);
  });

  it('computes the times of logs without timestamps from two blocks where the block time is fixed', async () => {
    const steady = await startNode(CHAIN);
    onTestFinished(() => steady.stop());
    await steady.install(addressesOn(CHAIN));
    const random = createRandom(SEED);
    const { timestamp } = await steady.request<{ timestamp: string }>('eth_getBlockByNumber', ['0x0', false]);
    for (let i = 1; i <= 60; i++) {
      await steady.request('evm_setNextBlockTimestamp', [Number(timestamp) + 2 * i]);
      await steady.mine(randomBlock(random, CHAIN));
    }
    const proxy = await startNodeProxy(steady.url, timeless);
    onTestFinished(proxy.stop);
    await indexOnce(store, [steady], { rpcUrls: new Map([[CHAIN, [proxy.url]]]), ranksMs: 3_600_000 });
    expect(headersOf(proxy.calls).length).toBeLessThanOrEqual(3);
    await expectCleanReplay(store, [steady]);
  });

  it('starts with the range size that an earlier indexer ended with', async () => {
    await indexThrough(limited);
    for (let i = 0; i < 20; i++) await evm.mine();
    onTestFinished(() => evm.rollBack(20));
    const calls = await indexThrough(limited);
    expect(calls.map(lengthOf).filter((length) => length > 16)).toEqual([]);
  });

  it('resumes after an interruption at every range, and stores no range twice', async () => {
    const random = createRandom(SEED);
    const { url } = await startProxy(async (call, forward) => {
      for (let turns = random.int(20); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      return limited(call, (inner) => timeless(inner, forward));
    });
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 50));
    const quick = { sleep, now: Date.now, random: () => 0 };
    const endpoints = [createEndpoint({ url, fetch, timeoutMs: 5_000 })];
    const client = createRpcClient({ chainId: CHAIN, endpoints, ...quick, onFault: () => undefined });
    const topics = Object.values(EVENT_TOPICS);
    const node = createChainNode({ chainId: CHAIN, contracts: addressesOn(CHAIN), topics, client, trust: TRUST });
    const { loader, chain } = createTestState(store, { chainId: CHAIN, now: Date.now });
    const head = await node.fetchBlock(BLOCKS);
    if (head === null) throw new Error('the node has no block');
    const heads = { head, finalized: head.number };

    const stored: { to: number; logs: number }[] = [];
    for (let next = 0; next <= BLOCKS; next = ((await chain.readCursor())?.number ?? -1) + 1) {
      const range = { from: next, to: head.number, after: await chain.readCursor() };
      chain.startBackfill(next, head.number);
      for await (const blocks of backfill({ node, size: createRangeSize(), ...quick }, range)) {
        await chain.storeRange({ ...blocks, heads, rangeSize: 16 });
        stored.push({ to: blocks.last.number, logs: blocks.logs.length });
        // Interrupted after every range.
        break;
      }
    }
    await store.transaction((tx) => loader.finish(tx));
    expect(stored.map(({ to }) => to)).toEqual([15, 31, 47, 63, 79, 95, 111, 127, BLOCKS]);
    const ours = await client.request((endpoint) =>
      endpoint.send({
        method: 'eth_getLogs',
        params: [{ fromBlock: 'earliest', address: addressesOn(CHAIN), topics: [topics] }],
      }),
    );
    expect(stored.reduce((sum, { logs }) => sum + logs, 0)).toBe((ours as unknown[]).length);
    await expectCleanReplay(store, [evm]);
  });
});
