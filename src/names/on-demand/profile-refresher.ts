import type { Logger } from 'pino';
import type { MonotonicMs, UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { createOnDemand, type OnDemandTools } from '../../remote/on-demand.ts';
import { BusyError } from '../../remote/remote-error.ts';
import type { SourceQueue } from '../../remote/source-queue.ts';
import { param } from '../../store/params.ts';
import { statement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import { PRIORITIES, queueProfiles, readStale } from '../background/profile-queue.ts';
import type { ImageGateways } from '../image-url.ts';
import type { FetchedProfile, ProfileSource } from '../profile-source.ts';
import { writeFetched } from '../write-profiles.ts';

/** How names and profiles are asked for while clients wait. */
export interface NameOptions extends OnDemandTools {
  readonly store: Pick<Store, 'reader' | 'transaction'>;
  readonly source: ProfileSource;
  readonly ask: SourceQueue['ask'];
  /** A stored profile that is older is stale. */
  readonly maxAgeMs: number;
  readonly now: () => UnixMs;
  readonly monotonic: () => MonotonicMs;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

export type ProfileRefresher = ReturnType<typeof createProfileRefresher>;

/** Requested accounts are written in batches: each write transaction competes with the indexer. */
const FLUSH_MS = 5_000;
/** Between two flushes, a random sample of this size is kept; the background refresh visits all members of the leaderboard anyway. */
const MAX_REQUESTED = 1_000;

const NAME = statement<{ account: string }, { name: string }>((db) =>
  db.selectFrom('profiles').select('name').where('address', '=', param<string>('account')),
);

export function createProfileRefresher(options: NameOptions & { readonly gateways: ImageGateways }) {
  const { store, source, gateways, ask, maxAgeMs, now, logger } = options;
  const profiles = createOnDemand<[Address, FetchedProfile]>({
    ...{ ...options, source: 'ens', of: 'profiles' },
    write: (fetched) => store.transaction((tx) => writeFetched(tx, new Map(fetched), gateways, now())),
  });
  let requested = createSample<Address>(MAX_REQUESTED);
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  async function fetchProfile(account: Address): Promise<[Address, FetchedProfile]> {
    const [stored] = await store.reader.all(NAME, { account });
    return [account, await ask(() => source.fetchProfile(account, stored?.name ?? ''))];
  }

  async function flush(): Promise<void> {
    const accounts = requested.items;
    requested = createSample(MAX_REQUESTED);
    try {
      const stale = await readStale(store.reader, accounts, maxAgeMs, now());
      if (stale.length === 0) return;
      await profiles.inTurn(() => store.transaction((tx) => queueProfiles(tx, stale, PRIORITIES.requested)));
    } catch (error) {
      logger.warn({ err: error }, 'failed to queue requested profiles for refresh');
    }
  }

  function scheduleFlush(): void {
    if (timer !== undefined || requested.items.length === 0) return;
    timer = setTimeout(() => {
      flushing = flush().then(() => {
        timer = undefined;
        scheduleFlush();
      });
    }, FLUSH_MS).unref();
  }

  return {
    /**
     * Fetches and stores a profile. If the source fails, may not be asked, or exceeds the deadline, the stored profile is
     * kept.
     */
    async renew(account: Address): Promise<void> {
      try {
        // Also one that is fetched and waits to be written: it would be asked for again meanwhile.
        const [known] = profiles.inFlight([account]);
        const { fetched, stored } = known ?? profiles.request([account], fetchProfile)[0];
        await profiles.inTime(Promise.all([fetched, stored]));
      } catch (error) {
        // The rate limit has been logged.
        if (error instanceof BusyError) return;
        logger.warn({ err: error, account }, 'profile refresh failed, serving the stored profile');
      }
    },
    /** Queues a requested account, if its profile is stale, for the background refresh. */
    queue(account: Address): void {
      requested.add(account);
      scheduleFlush();
    },
    /** Waits for refreshes in progress and writes the queue to the database. */
    async close(): Promise<void> {
      await profiles.settle();
      await flushing;
      clearTimeout(timer);
      if (requested.items.length > 0) await flush();
    },
  };
}

/** Used when no profile source is configured. */
export const noProfileRefresher: ProfileRefresher = {
  renew: async () => undefined,
  queue: () => undefined,
  close: async () => undefined,
};

interface Sample<T> {
  readonly items: readonly T[];
  add(item: T): void;
}

/** Keeps up to `size` different items, at random among all that are added (reservoir sampling): no flood displaces the others. */
function createSample<T>(size: number): Sample<T> {
  const items: T[] = [];
  const kept = new Set<T>();
  let added = 0;
  return {
    items,
    add(item) {
      if (kept.has(item)) return;
      const place = added < size ? added : Math.floor(Math.random() * (added + 1));
      added += 1;
      if (place >= size) return;
      // Safe: up to `size` items the place is a new one, and from then on all places are taken.
      kept.delete(items[place] as T);
      items[place] = item;
      kept.add(item);
    },
  };
}
