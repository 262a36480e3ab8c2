import { afterEach, describe, expect, it } from 'vitest';
import { useOwnDatabase } from '../store/own-database.ts';
import { dump } from '../support/dump.ts';
import { simulationSeeds } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import type { EvmNode } from './evm-node.ts';
import { cleanReplay, startChains } from './harness.ts';
import { type ProviderProxy, startProxy } from './provider-proxy.ts';
import { EPOCH, simulate } from './simulation.ts';
import { createSimulatedIndexer } from './simulation-indexer.ts';

describe.each(engines)('an indexer into $name, with random reorgs, faults and crashes', (engine) => {
  const own = useOwnDatabase(engine);
  let nodes: EvmNode[] = [];
  let proxies: ProviderProxy[] = [];

  afterEach(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await Promise.all(nodes.map((node) => node.stop()));
  });

  it.each(simulationSeeds(engine.name))(
    'ends with the tables of a clean run (KITH_SIMULATION_SEED=%i)',
    async (seed) => {
      const store = await own.open();
      nodes = await startChains({ epoch: EPOCH });
      const pairs = await Promise.all(
        nodes.map(async (node) => [node, [await startProxy(node.url), await startProxy(node.url)]] as const),
      );
      proxies = pairs.flatMap(([, pair]) => pair);
      const rpcUrls = new Map(pairs.map(([{ chainId }, pair]) => [chainId, pair.map(({ url }) => url)]));
      const indexer = createSimulatedIndexer({ store, rpcUrls, timeoutMs: 300 });
      const events: string[] = [];
      try {
        await simulate(seed, { nodes, proxies: new Map(pairs), indexer }, (event) => events.push(event));
        await indexer.untilIndexed(nodes);
        await indexer.stop();
        await loadRanks(store, 0);
        expect(await dump(store)).toEqual(await cleanReplay(engine, nodes));
      } catch (error) {
        console.error(`KITH_SIMULATION_SEED=${seed} on ${engine.name}:\n${events.join('\n')}`);
        throw error;
      } finally {
        await indexer.stop().catch(() => undefined);
      }
    },
  );
});
