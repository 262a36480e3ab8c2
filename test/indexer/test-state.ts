import { pino } from 'pino';
import { createChainWriter, createIndexedChains, type IndexedChain } from '../../src/indexer/indexed-chain.ts';
import { createCounters } from '../../src/indexer/session.ts';
import { createLogLoader } from '../../src/ingest/load-logs.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import type { Store } from '../../src/store/store.ts';

/** One chain, without an indexer lock. */
export function createTestState(store: Store, { chainId, now }: { chainId: number; now: () => number }) {
  const loader = createLogLoader({ now });
  const roleOf = createRoleOf(deployments.mainnet);
  const { chains } = createIndexedChains({
    chainIds: [chainId],
    roleOf,
    reader: store.reader,
    write: store.transaction,
    loader,
    now,
    monotonic: now,
    counters: createCounters(store),
    logger: pino({ level: 'silent' }),
    showProgress: () => ({ update: () => undefined, end: () => undefined }),
    onRanked: async () => undefined,
    endsWithChains: false,
  });
  const writer = createChainWriter(chainId, { roleOf, loader, now });
  // Safe: there is a chain for each id.
  return { loader, writer, chain: chains[0] as IndexedChain };
}
