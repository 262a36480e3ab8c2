import { OperatorError } from '../errors/operator-error.ts';
import type { Store, Transaction } from '../store/store.ts';

class IndexerRunningError extends OperatorError {
  readonly code = 'E_INDEXER_RUNNING';
}

/** Runs a transaction while no process indexes. */
export async function withIndexerLock<T>(
  store: Store,
  now: () => number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const lock = store.createIndexerLock(now);
  if (!(await lock.hold())) throw new IndexerRunningError('another process is indexing: stop it first');
  try {
    return await store.transaction(async (tx) => {
      await lock.fence(tx);
      const result = await work(tx);
      // Again: the work may have taken longer than the lease.
      await lock.fence(tx);
      return result;
    });
  } finally {
    await lock.release();
  }
}
