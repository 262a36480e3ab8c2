import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { anyEngine, type TestDatabase } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { fetchAnswer, type Service, startService } from '../support/service.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, type IndexerOverrides, type RunningIndexer, startIndexer, untilIndexed } from './harness.ts';
import { type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { discard, expectCleanReplay, randomBlock, readCursor, until } from './reorg-support.ts';

describe.each(anyEngine)('a fault of one of two chains, indexed into $name (seed 71)', (engine) => {
  const random = createRandom(71);
  let base: EvmNode;
  let optimism: EvmNode;
  let proxy: NodeProxy;
  let isOfAnotherChain: boolean;
  let database: TestDatabase;
  let store: Store;
  let service: Service;
  let indexer: RunningIndexer | undefined;
  /** Added to the clock of the service, in milliseconds. */
  let later: number;

  beforeEach(async () => {
    [isOfAnotherChain, later] = [false, 0];
    [base, optimism] = await Promise.all([startNode(8453), startNode(10)]);
    for (const node of [base, optimism]) {
      await node.install(addressesOn(node.chainId));
      for (let i = 0; i < 6; i++) await mine(node);
    }
    proxy = await startNodeProxy(optimism.url, async (call, forward) =>
      call.method === 'eth_chainId' && isOfAnotherChain ? '0x1' : forward(call),
    );
    database = await engine.create();
    store = await database.open();
    service = await startService(store, { maxLagSeconds: 60, now: () => Date.now() + later });
  });
  afterEach(async () => {
    await indexer?.stop();
    indexer = undefined;
    await service.close();
    await proxy.stop();
    await discard(store, database);
    await Promise.all([base.stop(), optimism.stop()]);
  });

  const mine = (node: EvmNode) => node.mine(randomBlock(random, node.chainId));
  const start = (overrides: IndexerOverrides = {}) => {
    const rpcUrls = new Map([
      [8453, [base.url]],
      [10, [proxy.url]],
    ]);
    return (indexer = startIndexer(store, [base, optimism], { rpcUrls, ranksMs: 3_600_000, ...overrides }));
  };
  const get = (path: string) => fetchAnswer(`${service.url}${path}`);
  const faults = async () => (await get('/status')).json.faults;
  /** Both chains were read up to their heads. */
  const untilLoaded = async (running: RunningIndexer) => {
    await untilIndexed(store, [base, optimism], running);
    await until(async () => !(await get('/status')).json.isLoading, running);
  };
  const logged = (running: RunningIndexer, message: string, level: number) =>
    running.log
      .map((line) => JSON.parse(line))
      .filter((line) => line.chain === 10 && line.msg === message && line.level === level);

  it('stops a chain whose node is of another chain, says why, and indexes it when the node is replaced', async () => {
    isOfAnotherChain = true;
    const running = start();
    await untilIndexed(store, [base], running);
    const { host } = new URL(proxy.url);
    const message = `RPC_URL_10: ${host} is a node of chain 1, not of chain 10`;
    const fault = { chainId: 10, code: 'E_WRONG_CHAIN', message, since: expect.stringMatching(/^\d{4}-.*Z$/) };
    await expect.poll(faults).toEqual([fault]);
    const loading = { percent: null, secondsLeft: null };
    expect((await get('/status')).json).toMatchObject({ isLoading: true, loading, chainsNotIndexed: [1] });
    const ready = await get('/ready');
    expect(ready).toMatchObject({ status: 503, json: { detail: expect.stringContaining(message) } });
    expect(ready.json.detail).not.toContain('8453');
    expect((await get('/metrics')).text).toContain('kith_chain_fault{chain="10",code="E_WRONG_CHAIN"} 1');
    expect(logged(running, 'indexing of a chain stopped', 50)).toMatchObject([
      { code: 'E_WRONG_CHAIN', reason: message },
    ]);

    await mine(base);
    await untilIndexed(store, [base], running);
    isOfAnotherChain = false;
    await untilIndexed(store, [base, optimism], running);
    await expect.poll(faults).toEqual([]);
    await expect.poll(async () => (await get('/ready')).status).toBe(200);
    expect((await get('/status')).json).toMatchObject({ isLoading: false, loading: null });
    expect((await get('/metrics')).text).not.toContain('kith_chain_fault{');
    expect(logged(running, 'indexing of a chain stopped', 50)).toHaveLength(1);
    expect(logged(running, 'the chain is being indexed again', 30)).toHaveLength(1);
    await until(() => logged(running, 'caught up with the chain', 30).length === 1, running);
    await expectCleanReplay(store, [base, optimism]);
  });

  it('stops a chain with a reorg below its final block, and indexes the other one', async () => {
    const running = start();
    await untilLoaded(running);
    const before = await readCursor(store, 10);
    await optimism.rollBack(4);
    for (let i = 0; i < 5; i++) await mine(optimism);
    await expect.poll(faults).toMatchObject([{ chainId: 10, code: 'E_DEEP_REORG' }]);
    await mine(base);
    await untilIndexed(store, [base], running);
    expect((await readCursor(store, 10))?.hash).toBe(before?.hash);
    later = 61_000;
    expect((await get('/ready')).json.detail).toMatch(/chain 10 is not being indexed since .*: chain 10: reorg below/);
  });

  it('stops a chain whose logs contradict imported ones, and stores no later range of it', async () => {
    const [log] = await optimism.logs();
    await loadLogs(store, [{ ...(log ?? expect.fail('no log')), blockHash: `0x${'ab'.repeat(32)}` }]);
    const running = start();
    await untilIndexed(store, [base], running);
    await expect.poll(faults).toMatchObject([{ chainId: 10, code: 'E_BAD_INPUT' }]);
    expect(await readCursor(store, 10)).toBeUndefined();
  });

  it('reports a node that is down as such, and logs once that it is gone and once that it is back', async () => {
    let isDown = false;
    const running = start({
      fetch: (url, init) =>
        isDown && String(url).startsWith(proxy.url)
          ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))
          : fetch(url, init),
    });
    await untilLoaded(running);
    await until(() => logged(running, 'caught up with the chain', 30).length === 1, running);
    isDown = true;
    const retries = () => logged(running, 'no RPC node is available, retrying', 20).length;
    await until(() => retries() > 0, running);
    expect(await faults()).toMatchObject([{ chainId: 10, code: 'E_NODE_UNAVAILABLE' }]);
    expect((await get('/ready')).status).toBe(200);
    later = 61_000;
    const { status, json } = await get('/ready');
    expect(status).toBe(503);
    expect(json.detail).toMatch(
      /chain 10 is not being indexed since .*: no RPC node is available: 127.0.0.1:\d+: .*: unreachable: ECONNREFUSED/,
    );
    isDown = false;
    await until(() => logged(running, 'caught up with the chain', 30).length === 2, running);
    expect(await faults()).toEqual([]);
    expect(logged(running, 'no RPC node is available, retrying', 40)).toHaveLength(1);
    expect(logged(running, 'the chain is being indexed again', 30)).toHaveLength(1);
  });

  it('leaves a service without a limit of the lag ready while a chain is stopped and the indexer is down', async () => {
    const running = start();
    await untilLoaded(running);
    isOfAnotherChain = true;
    await running.stop();
    start();
    await expect.poll(faults).toMatchObject([{ chainId: 10, code: 'E_WRONG_CHAIN' }]);
    later = 3_600_000;
    const tolerant = await startService(store, { now: () => Date.now() + later });
    try {
      expect((await fetchAnswer(`${tolerant.url}/ready`)).json).toEqual({ status: 'ready', databaseFault: null });
      expect((await fetchAnswer(`${tolerant.url}/status`)).json.chains).toMatchObject([
        { chainId: 10, lagSeconds: expect.toSatisfy((lag: number) => lag >= 3_600) },
        { chainId: 8453 },
      ]);
    } finally {
      await tolerant.close();
    }
  });

  it('forgets the lag of a chain that is no longer indexed', async () => {
    const running = start();
    await untilLoaded(running);
    await running.stop();
    const alone = start({ rpcUrls: new Map([[8453, [base.url]]]) });
    await until(() => alone.log.some((line) => line.includes('"msg":"caught up with the chain"')), alone);
    later = 61_000;
    const { chains } = (await get('/status')).json;
    expect(chains).toMatchObject([
      { chainId: 10, head: null, lagBlocks: null, lagSeconds: null },
      { chainId: 8453, lagSeconds: expect.any(Number) },
    ]);
    expect((await get('/ready')).json.detail).not.toContain('chain 10');
  });

  it('reports that the indexer may not be running when no chain was checked for a minute', async () => {
    const running = start();
    await untilLoaded(running);
    await running.stop();
    later = 61_000;
    const { status, json } = await get('/ready');
    expect(status).toBe(503);
    expect(json.detail).toMatch(/chain 10 was last checked \d+ seconds ago, the indexer may not be running/);
    expect(json.detail).not.toContain('0 blocks');
  });
});
