import type { UnixMs } from '../async/unix-time.ts';
import { computeRanks } from '../ranks/compute-ranks.ts';
import { LockLostError } from '../store/lease.ts';
import type { IndexerLock, Store, Transaction } from '../store/store.ts';
import type { Counters } from './counters.ts';

export interface MaintenanceOptions {
  readonly lock: IndexerLock;
  /** A transaction that fails if this process no longer holds the indexer lock. */
  readonly write: Store['transaction'];
  readonly counters: Counters;
  readonly now: () => UnixMs;
  /** Minimum time between two rankings. */
  readonly ranksMs: number;
  /** Receives the accounts that joined the leaderboard. */
  readonly onJoined: (tx: Transaction, accounts: readonly string[]) => Promise<void>;
}

/** Periodic work of the indexer. */
export interface Maintenance {
  /** Renews the lock, flushes the counters, and updates the ranks when they are due. */
  runMaintenance(): Promise<void>;
  /** Has to be called after every ranking, also that of a bulk fold. */
  onRanked(tx: Transaction, joined: readonly string[]): Promise<void>;
}

export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const { lock, write, counters, now, ranksMs, onJoined } = options;
  let rankedAt = 0;
  const onRanked = async (tx: Transaction, joined: readonly string[]) => {
    rankedAt = now();
    await onJoined(tx, joined);
  };
  return {
    onRanked,
    async runMaintenance() {
      if (!(await lock.hold())) throw new LockLostError('another process has taken over indexing');
      await counters.flush();
      if (now() - rankedAt < ranksMs) return;
      await write(async (tx) => {
        const joined = await computeRanks(tx, now());
        if (joined !== null) await onRanked(tx, joined);
      });
    },
  };
}
