import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { dump, sizes } from '../support/dump.ts';
import { crashSeeds } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import type { EvmNode } from './evm-node.ts';
import { cleanReplay, play, startChains, untilIndexed } from './harness.ts';
import { noFaults, type ProviderProxy, startProxy } from './provider-proxy.ts';
import { indexingEnv, type KithProcess, startProcess } from './simulation-process.ts';

const KILLS = 3;
/** About as many as reading the new blocks between two kills takes. */
const MOST_REQUESTS = 60;

describe.each(engines)('an indexer into $name that is killed', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });
  let nodes: EvmNode[];
  let proxies: Map<EvmNode, ProviderProxy>;

  beforeEach(async () => {
    // Long epochs, so that many blocks are not final and are read one by one.
    nodes = await startChains({ epoch: 10 });
    proxies = new Map();
    for (const node of nodes) proxies.set(node, await startProxy(node.url));
  });
  afterEach(async () => {
    for (const proxy of proxies.values()) await proxy.stop();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const start = () =>
    startProcess(
      'index',
      indexingEnv(own.database.url, nodes, (node) => proxies.get(node)?.url ?? ''),
    );

  /** Sends SIGKILL during the `requests`-th RPC request. */
  async function killDuring(kith: KithProcess, requests: number): Promise<void> {
    let left = requests;
    await new Promise<void>((resolve) => {
      for (const proxy of proxies.values()) {
        proxy.script = () => {
          if (--left === 0) resolve(kith.kill());
          return null;
        };
      }
    });
    for (const proxy of proxies.values()) proxy.script = noFaults;
    // The next process need not wait for the lease to expire.
    await queryDatabase(own.database, 'delete from leases');
  }

  it.each(crashSeeds)('ends with the tables of a clean run after restarts (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const history = randomHistory(seed, { logs: 150 });
    const share = Math.ceil(history.length / (KILLS + 1));
    for (let kill = 0; kill < KILLS; kill++) {
      await play(nodes, history.slice(kill * share, (kill + 1) * share));
      await killDuring(start(), 1 + random.int(MOST_REQUESTS));
    }
    await play(nodes, history.slice(KILLS * share));
    await withStore(own.database, async (store) => {
      const kith = start();
      await untilIndexed(store, nodes, kith);
      await kith.stop();
      expect(await kith.exit()).toBe(0);
      await loadRanks(store, 0);
      const found = await dump(store);
      expect(found).toEqual(await cleanReplay(engine, nodes));
      expect(sizes(found).logs).toBeGreaterThan(80);
    });
  });
});
