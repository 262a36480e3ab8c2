import { randomUUID } from 'node:crypto';
import { LEASE_NAME, requireHolder } from '../lease.ts';
import type { IndexerLock, Store, Transaction } from '../store.ts';

/** The indexer renews its lease every second or two, so that a pause of a few seconds does not lose it. */
const LEASE_MS = 6_000;

/** A lease: a row with its holder and its expiry, which another process may take once it has expired. */
export function createSqliteLock(options: { transaction: Store['transaction']; now: () => number }): IndexerLock {
  const { transaction, now } = options;
  const holder = randomUUID();
  const renew = (tx: Transaction) => tx.upsert('leases', [{ name: LEASE_NAME, holder, expires_at: now() + LEASE_MS }]);
  return {
    hold: () =>
      transaction(async (tx) => {
        const [lease] = await tx.readBy('leases', 'name', [LEASE_NAME]);
        if (lease !== undefined && lease.holder !== holder && lease.expires_at > now()) return false;
        await renew(tx);
        return true;
      }),
    async fence(tx) {
      await requireHolder(tx, holder);
      // The lease must not have expired when a long transaction commits.
      await renew(tx);
    },
    release: () =>
      transaction(async (tx) => {
        const [lease] = await tx.readBy('leases', 'name', [LEASE_NAME]);
        if (lease?.holder === holder) await tx.remove('leases', [{ name: LEASE_NAME }]);
      }),
  };
}
