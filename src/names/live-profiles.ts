import { withDeadline } from '../async/deadline.ts';
import { createSingleFlight } from '../async/single-flight.ts';
import type { Address } from '../protocol/hex.ts';
import { createLimiter } from '../remote/limiter.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { param } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';
import type { ImageGateways } from './image-url.ts';
import type { SourceUse } from './profile-source.ts';
import { createStaleLookup, TURNS, wantProfiles } from './wanted-profiles.ts';
import { writeFetched } from './write-profiles.ts';

/** Sees to it that profiles are as fresh as those who ask want them. */
export interface Profiles {
  /** Fetches a profile again and stores it, as far as the source can tell in time; what is stored stands otherwise. */
  renew(account: Address): Promise<void>;
  /** Notes that somebody asks about an account, so that its profile is renewed before those of others. */
  want(account: Address): void;
  /** Waits for what is under way, and writes down what was noted. */
  close(): Promise<void>;
}

export interface LiveProfilesOptions extends SourceUse {
  readonly store: Pick<Store, 'reader' | 'transaction'>;
  readonly gateways: ImageGateways;
}

/** How often accounts that were asked about are written down: often enough for people, seldom enough for the writer. */
const WRITE_MS = 5_000;
/** Of more than this between two writes, the rest are not noted: they get their turn all the same. */
const MAX_NOTED = 1_000;
/** Profiles that may wait to be stored. */
const MAX_UNWRITTEN = 1_000;

export function createLiveProfiles(options: LiveProfilesOptions): Profiles {
  const { store, source, gateways, limiter, maxAgeMs, deadlineMs, now, logger } = options;
  const flights = createSingleFlight<void>();
  // One at a time: each transaction that waits for a long import holds a connection that lookups need.
  const writes = createLimiter('profiles', 1, MAX_UNWRITTEN);
  const write: Store['transaction'] = (work) => writes.run(() => store.transaction(work));
  const staleOf = createStaleLookup(store.reader);
  const nameOf = store.reader.prepareColumn<{ account: string }, string>((db) =>
    db.selectFrom('profiles').select('name').where('address', '=', param<string>('account')),
  );
  let noted = new Set<Address>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function fetchAndStore(account: Address): Promise<void> {
    const [name = ''] = await nameOf({ account });
    const names = new Map([[account, name]]);
    const fetched = await limiter.run(() => source.fetchProfiles([account], { fresh: true, names }));
    const profile = fetched.get(account);
    if (profile === undefined || profile instanceof Error) throw profile ?? new Error(`nothing about ${account}`);
    await write((tx) => writeFetched(tx, new Map([[account, profile]]), gateways));
  }

  async function writeNoted(): Promise<void> {
    const accounts = [...noted];
    noted = new Set();
    try {
      const stale = await staleOf(accounts, now() - maxAgeMs);
      if (stale.length > 0) await write((tx) => wantProfiles(tx, stale, TURNS.asked));
    } catch (error) {
      logger.warn({ err: error }, 'whose profiles are asked for could not be written down');
    }
  }

  function writeSoon(): void {
    if (timer !== undefined || noted.size === 0) return;
    timer = setTimeout(() => {
      writing = writeNoted().then(() => {
        timer = undefined;
        writeSoon();
      });
    }, WRITE_MS).unref();
  }

  return {
    async renew(account) {
      const late = () => new RemoteError(source.kind, 'profile', { kind: 'timeout' });
      try {
        await withDeadline(
          flights.run(account, () => fetchAndStore(account)),
          deadlineMs,
          late,
        );
      } catch (error) {
        logger.warn({ err: error, account }, 'a profile could not be renewed: the stored one is answered');
      }
    },
    want(account) {
      if (noted.size >= MAX_NOTED) return;
      noted.add(account);
      writeSoon();
    },
    async close() {
      await flights.settle();
      await writing;
      clearTimeout(timer);
      if (noted.size > 0) await writeNoted();
    },
  };
}

/** Where there is no source, nothing can be renewed. */
export const noProfiles: Profiles = {
  renew: async () => undefined,
  want: () => undefined,
  close: async () => undefined,
};
