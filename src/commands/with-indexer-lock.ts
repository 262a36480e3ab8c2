import { CommandError } from '../errors/operator-error.ts';
import { fenced } from '../store/lease.ts';
import type { Store, Transaction } from '../store/store.ts';

/** Runs a transaction while no process indexes. */
export async function withIndexerLock<T>(
  store: Store,
  now: () => number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const lock = store.createIndexerLock(now);
  if (!(await lock.hold())) throw new CommandError('E_INDEXER_RUNNING', 'another process is indexing: stop it first');
  try {
    return await store.transaction((tx) => fenced(tx, lock, work));
  } finally {
    await lock.release();
  }
}
