import { OperatorError } from '../errors/operator-error.ts';
import type { IndexerLock, Transaction } from './store.ts';

/** The row of `leases` that names the holder of the indexer lock, on both engines. */
export const LEASE_NAME = 'indexer';

/** Another process has taken the indexer lock. The transaction must not commit. */
export class LockLostError extends OperatorError {
  readonly code = 'E_LOCK_LOST';
}

export async function requireHolder(tx: Transaction, holder: string): Promise<void> {
  const [lease] = await tx.readBy('leases', 'name', [LEASE_NAME]);
  if (lease?.holder !== holder) throw new LockLostError('another process has taken over indexing');
}

/** Runs `work` in a transaction that commits only while the lock is held. */
export async function fenced<T>(tx: Transaction, lock: IndexerLock, work: (tx: Transaction) => Promise<T>): Promise<T> {
  await lock.fence(tx);
  const result = await work(tx);
  // Again: the work may have taken longer than the lease, which this renews.
  await lock.fence(tx);
  return result;
}
