import { randomUUID } from 'node:crypto';
import { OperatorError } from '../protocol/operator-error.ts';
import type { IndexerLock, Store, Transaction } from './store.ts';

export const LEASE_NAME = 'indexer';
/** A lease that is not renewed in this time is anybody's. Renewed every second or two, so a pause does not lose it. */
const LEASE_MS = 6_000;

/** The lock has passed to another process; whatever was being written must not be. */
export class LockLostError extends OperatorError {
  override name = 'LockLostError';
  readonly code = 'E_LOCK_LOST';
}

/** A row that says who indexes, and until when. */
export function createLease(options: { transaction: Store['transaction']; now: () => number }): IndexerLock {
  const { transaction, now } = options;
  const holder = randomUUID();
  const renew = (tx: Transaction) => tx.upsert('leases', [{ name: LEASE_NAME, holder, expires_at: now() + LEASE_MS }]);
  return {
    hold: () =>
      transaction(async (tx) => {
        const [lease] = await tx.read('leases', ['name'], [[LEASE_NAME]]);
        if (lease !== undefined && lease.holder !== holder && lease.expires_at > now()) return false;
        await renew(tx);
        return true;
      }),
    async fence(tx) {
      await requireHolder(tx, holder);
      // A long transaction keeps others from taking the lease; it must not be up when the transaction ends.
      await renew(tx);
    },
    release: () =>
      transaction(async (tx) => {
        const [lease] = await tx.read('leases', ['name'], [[LEASE_NAME]]);
        if (lease?.holder === holder) await tx.remove('leases', [{ name: LEASE_NAME }]);
      }),
  };
}

/** Throws unless `holder` is who indexes. */
export async function requireHolder(tx: Transaction, holder: string): Promise<void> {
  const [lease] = await tx.read('leases', ['name'], [[LEASE_NAME]]);
  if (lease?.holder !== holder) throw new LockLostError('another process has taken over indexing');
}
