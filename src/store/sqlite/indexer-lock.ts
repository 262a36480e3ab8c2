import { setTimeout } from 'node:timers/promises';
import type { MonotonicMs } from '../../async/unix-time.ts';
import { createHolder, LEASE_NAME, type Lease, requireHolder } from '../lease.ts';
import type { IndexerLock, Store, Transaction } from '../store.ts';

/** The indexer renews its lease every second or two, so that a pause of a few seconds does not lose it. */
const LEASE_MS = 6_000;
const POLL_MS = 500;

/** A lease as another process has left it, and since when this process has seen no renewal. */
interface Observed {
  readonly lease: Lease;
  readonly since: MonotonicMs;
}

/**
 * A lease: a row with its holder, who raises a number to renew it. Another process takes it when that number has not
 * changed for the time of a lease by its own clock, because the clocks of two processes need not agree.
 */
export function createSqliteLock(
  options: Pick<Store, 'transaction'> & {
    readonly name: string | undefined;
    readonly monotonic: () => MonotonicMs;
  },
): IndexerLock {
  const { transaction, monotonic } = options;
  const holder = createHolder(options.name);
  let observed: Observed | null = null;
  const renew = (tx: Transaction, renewals: number) =>
    tx.upsert('leases', [{ name: LEASE_NAME, holder, renewals: renewals + 1 }]);
  /** Whether a lease of another process has expired. */
  const hasExpired = (lease: Lease) => {
    if (observed?.lease.holder === lease.holder && observed.lease.renewals === lease.renewals)
      return monotonic() - observed.since >= LEASE_MS;
    observed = { lease, since: monotonic() };
    return false;
  };
  const hold = () =>
    transaction(async (tx) => {
      const [lease] = await tx.readBy('leases', 'name', [LEASE_NAME]);
      if (lease !== undefined && lease.holder !== holder && !hasExpired(lease)) return false;
      await renew(tx, lease?.renewals ?? 0);
      return true;
    });
  /** The lease must not expire while a long transaction commits. */
  const fence = async (tx: Transaction) => renew(tx, (await requireHolder(tx, holder)).renewals);
  return {
    hold,
    async acquire() {
      let first: Observed | null = null;
      for (;;) {
        if (await hold()) return true;
        first ??= observed;
        if (observed !== first) return false;
        await setTimeout(POLL_MS);
      }
    },
    keep: () => transaction(fence),
    fence,
    release: () =>
      transaction(async (tx) => {
        const [lease] = await tx.readBy('leases', 'name', [LEASE_NAME]);
        if (lease?.holder === holder) await tx.remove('leases', [{ name: LEASE_NAME }]);
      }),
  };
}
