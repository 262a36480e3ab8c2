import { computeRanks } from '../ranks/compute-ranks.ts';
import { LockLostError } from '../store/lease.ts';
import type { IndexerLock, Store, Transaction } from '../store/store.ts';
import type { Counters } from './counters.ts';

export interface MaintenanceOptions {
  readonly lock: IndexerLock;
  /** A transaction that fails if this process no longer holds the indexer lock. */
  readonly write: Store['transaction'];
  readonly counters: Counters;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Minimum time between two rankings. */
  readonly ranksMs: number;
  /** Receives the accounts that joined the leaderboard. */
  readonly onJoined: (tx: Transaction, accounts: readonly string[]) => Promise<void>;
}

/** Periodic work of the indexer: renews the lock, flushes the counters, and updates the ranks when they are due. */
export function createMaintenance(options: MaintenanceOptions): () => Promise<void> {
  const { lock, write, counters, now, ranksMs, onJoined } = options;
  let rankedAt = 0;
  return async function runMaintenance() {
    if (!(await lock.hold())) throw new LockLostError('another process has taken over indexing');
    await counters.flush();
    if (now() - rankedAt < ranksMs) return;
    const isRanked = await write(async (tx) => {
      const joined = await computeRanks(tx, now());
      if (joined !== null) await onJoined(tx, joined);
      return joined !== null;
    });
    if (isRanked) rankedAt = now();
  };
}
