import { OperatorError } from '../errors/operator-error.ts';
import type { Transaction } from './store.ts';

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
