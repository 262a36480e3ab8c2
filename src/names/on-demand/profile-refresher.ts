import type { Logger } from 'pino';
import { withDeadline } from '../../async/deadline.ts';
import { createSingleFlight } from '../../async/single-flight.ts';
import type { UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { BusyError, createLimiter, type Limiter } from '../../remote/limiter.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import { param } from '../../store/params.ts';
import { statement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import { PRIORITIES, queueProfiles, readStale } from '../background/profile-queue.ts';
import type { ImageGateways } from '../image-url.ts';
import type { ProfileSource } from '../profile-source.ts';
import { writeFetched } from '../write-profiles.ts';

/** How a source is used while a client waits for the response. */
export interface OnDemandOptions {
  readonly source: ProfileSource;
  /** Concurrency limit on requests to the source. */
  readonly limiter: Limiter;
  /** A stored profile that is older is stale. */
  readonly maxAgeMs: number;
  /** How long a response waits for the source. */
  readonly deadlineMs: number;
  readonly now: () => UnixMs;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

export interface ProfileRefresher {
  /**
   * Fetches and stores a profile. If the source fails or exceeds the deadline, the stored profile is kept. Rejects with
   * a `BusyError` if the source is not asked.
   */
  renew(account: Address): Promise<void>;
  /** Queues a requested account, if its profile is stale, for the background refresh. */
  queue(account: Address): void;
  /** Waits for refreshes in progress and writes the queue to the database. */
  close(): Promise<void>;
}

export interface ProfileRefresherOptions extends OnDemandOptions {
  readonly store: Pick<Store, 'reader' | 'transaction'>;
  readonly gateways: ImageGateways;
}

/** Requested accounts are written in batches: each write transaction competes with the indexer. */
const FLUSH_MS = 5_000;
/** Accounts beyond this number between two flushes are dropped; the background refresh visits them anyway. */
const MAX_REQUESTED = 1_000;
const MAX_QUEUED_WRITES = 1_000;

const NAME = statement<{ account: string }, { name: string }>((db) =>
  db.selectFrom('profiles').select('name').where('address', '=', param<string>('account')),
);

export function createProfileRefresher(options: ProfileRefresherOptions): ProfileRefresher {
  const { store, source, gateways, limiter, maxAgeMs, deadlineMs, now, logger } = options;
  const flights = createSingleFlight<void>();
  // One at a time: a transaction that waits behind a long import holds a pool connection that lookups need.
  const writes = createLimiter('profiles', 1, MAX_QUEUED_WRITES);
  const write: Store['transaction'] = (work) => writes.run(() => store.transaction(work));
  let requested = new Set<Address>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  async function fetchAndStore(account: Address): Promise<void> {
    const [stored] = await store.reader.all(NAME, { account });
    const profile = await limiter.run(() => source.fetchProfile(account, stored?.name ?? ''));
    await write((tx) => writeFetched(tx, new Map([[account, profile]]), gateways));
  }

  async function flush(): Promise<void> {
    const accounts = [...requested];
    requested = new Set();
    try {
      const stale = await readStale(store.reader, accounts, now() - maxAgeMs);
      if (stale.length > 0) await write((tx) => queueProfiles(tx, stale, PRIORITIES.requested));
    } catch (error) {
      logger.warn({ err: error }, 'failed to queue requested profiles for refresh');
    }
  }

  function scheduleFlush(): void {
    if (timer !== undefined || requested.size === 0) return;
    timer = setTimeout(() => {
      flushing = flush().then(() => {
        timer = undefined;
        scheduleFlush();
      });
    }, FLUSH_MS).unref();
  }

  return {
    async renew(account) {
      const onTimeout = () => new RemoteError('ens', 'profile', { kind: 'timeout' });
      try {
        await withDeadline(
          flights.run(account, () => fetchAndStore(account)),
          deadlineMs,
          onTimeout,
        );
      } catch (error) {
        if (error instanceof BusyError) throw error;
        logger.warn({ err: error, account }, 'profile refresh failed, serving the stored profile');
      }
    },
    queue(account) {
      if (requested.size >= MAX_REQUESTED) return;
      requested.add(account);
      scheduleFlush();
    },
    async close() {
      await flights.settle();
      await flushing;
      clearTimeout(timer);
      if (requested.size > 0) await flush();
    },
  };
}

/** Used when no profile source is configured. */
export const noProfileRefresher: ProfileRefresher = {
  renew: async () => undefined,
  queue: () => undefined,
  close: async () => undefined,
};
