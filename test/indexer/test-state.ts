import { createChainState } from '../../src/indexer/chain-state.ts';
import { createLogLoader } from '../../src/ingest/load-logs.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import type { Store } from '../../src/store/store.ts';

/** What indexing keeps about one chain, as it is while the bulk comes in, or not; nobody else writes. */
export function createTestState(
  store: Store,
  { chainId, isLoading, now }: { chainId: number; isLoading: boolean; now: () => number },
) {
  const loader = createLogLoader({ now });
  const state = createChainState({
    chainId,
    store,
    roleOf: createRoleOf(deployments.mainnet),
    loader,
    write: store.transaction,
    isLoading: () => isLoading,
    now,
  });
  return { loader, state };
}
