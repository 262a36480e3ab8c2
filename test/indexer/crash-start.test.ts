import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomHistory } from '../model/random-history.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { dump } from '../support/dump.ts';
import { anyEngine } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import { fetchAnswer } from '../support/service.ts';
import type { EvmNode } from './evm-node.ts';
import { cleanReplay, play, startChains, untilIndexed } from './harness.ts';
import { noFaults, type ProviderProxy, startProxy } from './provider-proxy.ts';
import { indexingEnv, type KithProcess, startProcess } from './simulation-process.ts';

const LISTENS = /Kith listens on (http:\S+)\. /;
/** The first log line of an indexer, with its process id. */
const INDEXING = /"pid":(\d+)[^\n]*"msg":"indexing"/;

describe.each(anyEngine)('kith start with nodes on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });
  let nodes: EvmNode[];
  let proxy: ProviderProxy;

  beforeEach(async () => {
    nodes = await startChains({ epoch: 10 });
    proxy = await startProxy(base().url);
  });
  afterEach(async () => {
    await proxy.stop();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const base = () => nodes[0] as EvmNode;
  const start = async () => {
    const kith = startProcess(
      'start',
      indexingEnv(own.database.url, nodes, (node) => (node === base() ? proxy.url : node.url)),
    );
    const [, url = ''] = await kith.untilSaid(LISTENS);
    return { kith, url };
  };
  const statusOf = async (url: string) => {
    const { json } = await fetchAnswer(`${url}/status`);
    return json.chains.find(({ chainId }: { chainId: number }) => chainId === base().chainId);
  };
  const indexerOf = async (kith: KithProcess, times = 1) => Number((await kith.untilSaid(INDEXING, times))[1]);

  it('serves requests at once, and reports its lag until it has caught up', async () => {
    for (let i = 0; i < 15; i++) {
      await base().request('evm_increaseTime', [100]);
      await base().mine();
    }
    proxy.script = () => 'overload';
    const { url } = await start();
    expect((await fetchAnswer(`${url}/health`)).status).toBe(200);
    const unread = await fetchAnswer(`${url}/ready`);
    expect(unread.status).toBe(503);
    expect(unread.json.detail).toMatch(/^the (database is empty: |chains are being read for the first time)/);

    // Enough requests to read the head and a few blocks.
    let left = 10;
    proxy.script = () => (left-- > 0 ? null : 'overload');
    await expect.poll(() => statusOf(url)).toMatchObject({ head: 15, finalized: 0 });
    const behind = await fetchAnswer(`${url}/ready`);
    expect(behind.status).toBe(503);
    expect(behind.json.detail).toMatch(/chain 8453 is \d+ blocks and \d{3,4} seconds behind/);
    const { indexed, lagBlocks, lagSeconds } = await statusOf(url);
    expect(lagBlocks).toBe(15 - indexed.number);
    expect(lagSeconds).toBeGreaterThanOrEqual(lagBlocks * 100);

    proxy.script = noFaults;
    await expect.poll(() => fetchAnswer(`${url}/ready`)).toMatchObject({ status: 200, json: { status: 'ready' } });
    expect(await statusOf(url)).toMatchObject({ indexed: { number: 15 }, head: 15, finalized: 0, lagBlocks: 0 });
    expect((await statusOf(url)).lagSeconds).toBeLessThan(60);
  });

  it('serves requests while its indexer is down, restarts it, and stops it on shutdown', async () => {
    const history = randomHistory(41, { logs: 60 });
    await play(nodes, history.slice(0, 30));
    const { kith, url } = await start();
    const first = await indexerOf(kith);
    await withStore(own.database, async (store) => {
      await untilIndexed(store, nodes, kith);
      process.kill(first, 'SIGKILL');
      const [line] = await kith.untilSaid(/\{[^\n]*indexer exited, serving continues[^\n]*/);
      expect(JSON.parse(line)).toMatchObject({ signal: 'SIGKILL', retryMs: 1_000 });
      expect((await fetchAnswer(`${url}/api/v1/leaderboard/search?term=a`)).status).toBe(200);
      await expect.poll(async () => (await statusOf(url)).lagSeconds).toBeGreaterThanOrEqual(1);

      await play(nodes, history.slice(30));
      const second = await indexerOf(kith, 2);
      expect(second).not.toBe(first);
      await untilIndexed(store, nodes, kith);
      await kith.stop();
      expect(await kith.exit()).toBe(0);
      expect(() => process.kill(second, 0)).toThrow('ESRCH');
      await loadRanks(store, 0);
      expect(await dump(store)).toEqual(await cleanReplay(engine, nodes));
    });
  });
});
