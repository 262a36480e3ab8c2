import { afterEach, describe, expect, it } from 'vitest';
import { useOwnDatabase } from '../store/own-database.ts';
import { dump } from '../support/dump.ts';
import { simulationSeeds } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import type { Anvil } from './anvil.ts';
import { cleanReplay, startChains } from './harness.ts';
import { type ProviderProxy, startProxy } from './provider-proxy.ts';
import { EPOCH, simulate } from './simulation.ts';
import { createSimulatedIndexer } from './simulation-indexer.ts';

describe.each(engines)('an indexer into $name, with random reorgs, faults and crashes', (engine) => {
  const own = useOwnDatabase(engine);
  let anvils: Anvil[] = [];
  let proxies: ProviderProxy[] = [];

  afterEach(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await Promise.all(anvils.map((anvil) => anvil.stop()));
  });

  it.each(simulationSeeds(engine.name))(
    'ends with the tables of a clean run (KITH_SIMULATION_SEED=%i)',
    async (seed) => {
      const store = await own.open();
      anvils = await startChains({ epoch: EPOCH });
      const pairs = await Promise.all(
        anvils.map(async (anvil) => [anvil, [await startProxy(anvil.url), await startProxy(anvil.url)]] as const),
      );
      proxies = pairs.flatMap(([, pair]) => pair);
      const rpcUrls = new Map(pairs.map(([{ chainId }, pair]) => [chainId, pair.map(({ url }) => url)]));
      const indexer = createSimulatedIndexer({ store, rpcUrls, timeoutMs: 300 });
      const events: string[] = [];
      try {
        await simulate(seed, { anvils, proxies: new Map(pairs), indexer }, (event) => events.push(event));
        await indexer.untilIndexed(anvils);
        await indexer.stop();
        await loadRanks(store, 0);
        expect(await dump(store)).toEqual(await cleanReplay(engine, anvils));
      } catch (error) {
        console.error(`KITH_SIMULATION_SEED=${seed} on ${engine.name}:\n${events.join('\n')}`);
        throw error;
      } finally {
        await indexer.stop().catch(() => undefined);
      }
    },
  );
});
