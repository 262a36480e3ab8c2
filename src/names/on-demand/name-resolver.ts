import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isAhead, isRecent, type MonotonicMs, type UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { createOnDemand } from '../../remote/on-demand.ts';
import { BusyError, RemoteError, requireRemote } from '../../remote/remote-error.ts';
import { param } from '../../store/params.ts';
import { statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { UnresolvableError } from '../profile-source.ts';
import type { NameOptions, ProfileRefresher } from './profile-refresher.ts';

export type NameResolver = ReturnType<typeof createNameResolver>;

/** The account whose stored profile has a name as its primary name. */
interface Holder {
  readonly address: Address;
  readonly fresh: UnixMs;
}

/**
 * Of the profiles that claim the name, the one fetched last, then the one with the lowest address. The index ascends by
 * time and address, so the latest time is looked up first.
 */
const HOLDER = statement<{ name: string }, Holder>((db) => {
  const claims = db
    .selectFrom('profiles')
    .where('name', '=', param<string>('name'))
    // The literal lets the planner use the partial index on profiles with a name.
    .where('name', '<>', sql.lit(''));
  return claims
    .select((eb) => [eb.ref('address').$castTo<Address>().as('address'), 'fresh'])
    .where('fresh', '=', (eb) => claims.select(eb.fn.max('fresh').as('last')))
    .orderBy('address')
    .limit(sql.lit(1));
});

export async function readHolder(reader: Reader, name: string): Promise<Holder | null> {
  return (await reader.all(HOLDER, { name }))[0] ?? null;
}

/** What `cache=fresh` resolved a name to, for every process. Names of stored profiles are shared by the profile. */
const SHARED = statement<{ name: string }, { address: Address | null; resolvedAt: UnixMs }>((db) =>
  db
    .selectFrom('resolved_names')
    .select((eb) => [eb.ref('address').$castTo<Address | null>().as('address'), 'resolved_at as resolvedAt'])
    .where('name', '=', param<string>('name')),
);

/** Time to live of a resolution, including a negative one. */
export const RESULT_TTL_MS = 60_000;
/** Failures are cached briefly, so that a burst of requests does not become a burst of requests to the source. */
const FAILURE_TTL_MS = 5_000;
const MAX_CACHED = 10_000;

interface Resolution {
  readonly name: string;
  readonly address: Address | null;
  /** Orders it among stored times, which other processes write. */
  readonly startedAt: UnixMs;
  /** Whether other processes have to see it: they answer from theirs for a minute. */
  readonly isShared: boolean;
}

/** Resolves from a fresh stored profile, else from the source; falls back to what was known if the source fails. */
export function createNameResolver(options: NameOptions & Pick<ProfileRefresher, 'renew'>) {
  const { store, source, renew, ask, maxAgeMs, now, monotonic, logger } = options;
  const cache = { max: MAX_CACHED, ttlResolution: 0, perf: { now: monotonic } };
  // One that has expired is better than no answer while the source cannot be asked.
  const results = new LRUCache<string, Resolution>({ ...cache, ttl: RESULT_TTL_MS, noDeleteOnStaleGet: true });
  const failures = new LRUCache<string, RemoteError>({ ...cache, ttl: FAILURE_TTL_MS });
  const names = createOnDemand<Resolution>({
    ...{ ...options, source: 'ens', of: 'names' },
    isStored: ({ isShared }) => isShared,
    write: share,
  });

  /** The last result, expired or not. */
  const lastOf = (name: string) => results.get(name, { allowStale: true });

  /** The result of a recent request. Throws if the request has failed. */
  function recentOrThrow(name: string): Resolution | undefined {
    const resolution = results.get(name);
    const failure = failures.get(name);
    if (resolution === undefined && failure !== undefined) throw failure;
    return resolution;
  }

  /** The result of an earlier request does not replace a later one, unless the clock was ahead then. */
  function keep(resolution: Resolution, since: MonotonicMs): Resolution {
    const { name, startedAt } = resolution;
    const last = lastOf(name)?.startedAt ?? Number.NEGATIVE_INFINITY;
    if (startedAt <= last && !isAhead(last, now())) return resolution;
    results.set(name, resolution, { start: since });
    failures.delete(name);
    return resolution;
  }

  /** The last resolution, expired or not, if it is later than the stored profile. */
  function laterThan(stored: Holder | null, name: string): Resolution | null {
    const last = lastOf(name);
    return last !== undefined && (stored === null || last.startedAt > stored.fresh) ? last : null;
  }

  async function resolve(name: string, known: Holder | null, fresh: boolean): Promise<Resolution> {
    const [startedAt, since] = [now(), monotonic()];
    try {
      const address = await source.fetchHolder(name);
      return keep({ name, address, startedAt, isShared: fresh && known?.address !== address }, since);
    } catch (error) {
      // If nothing was asked, another client may still get its turn.
      if (!(error instanceof RemoteError) || error instanceof BusyError) throw error;
      if (error instanceof UnresolvableError) logger.info({ err: error, name }, 'name cannot be resolved');
      else logger.warn({ err: error, name }, 'name resolution failed');
      failures.set(name, error);
      throw error;
    }
  }

  async function resolveInTime(name: string, stored: Holder | null, fresh: boolean): Promise<Resolution> {
    const key = `${fresh} ${name}`;
    const asked = () => names.inFlight([key]).find(({ outcome }) => outcome === null);
    // Each client waits for its own turn to ask: behind the requests of another one, it might wait in vain.
    const turn = async () =>
      (fresh ? undefined : recentOrThrow(name)) ?? names.request([key], () => resolve(name, stored, fresh))[0].fetched;
    try {
      const resolution = await names.inTime(asked()?.fetched ?? ask(turn));
      const writes = names.inFlight([key]).map((flight) => flight.stored);
      // The response does not wait longer; the row is written all the same.
      if (fresh) await names.inTime(Promise.all(writes)).catch(requireRemote);
      return resolution;
    } catch (error) {
      const isLate = error instanceof RemoteError && error.fault.kind === 'timeout' && asked() !== undefined;
      // Kept, so that the next request does not wait for the same slow source again.
      if (isLate) failures.set(name, error);
      throw error;
    }
  }

  /** Reads what another process may have resolved. */
  async function readShared(name: string): Promise<void> {
    const [found] = await store.reader.all(SHARED, { name });
    if (found === undefined) return;
    const { address, resolvedAt } = found;
    const isKnown = isRecent(resolvedAt, RESULT_TTL_MS, now());
    if (!isKnown && lastOf(name) !== undefined) return;
    const startedAt = isKnown ? Math.min(resolvedAt, now()) : 0;
    const age = isKnown ? now() - startedAt : RESULT_TTL_MS + 1;
    keep({ name, address, startedAt, isShared: true }, monotonic() - age);
  }

  /** After the time to live no process has an earlier resolution, and the next write removes the row. */
  async function share([resolution]: readonly Resolution[]): Promise<void> {
    if (resolution === undefined) return;
    const { name, address, startedAt } = resolution;
    await store.transaction(async (tx) => {
      await tx.execute((db) => db.deleteFrom('resolved_names').where('resolved_at', '<', startedAt - RESULT_TTL_MS));
      await tx.upsert('resolved_names', [{ name, address, resolved_at: startedAt }]);
    });
  }

  return {
    /**
     * Returns null if the name resolves to no address, and throws a `RemoteError` if that is unknown. `fresh` bypasses
     * the cache.
     */
    async addressOf(name: string, { fresh }: { fresh: boolean }): Promise<Address | null> {
      const [stored] = await Promise.all([readHolder(store.reader, name), readShared(name)]);
      if (!fresh && stored !== null && isRecent(stored.fresh, maxAgeMs, now())) {
        const later = laterThan(stored, name);
        if (later === null || later.address === stored.address) return stored.address;
      }
      try {
        const known = fresh ? undefined : recentOrThrow(name);
        const resolution = known ?? (await resolveInTime(name, stored, fresh));
        // The name has moved: refresh the former holder, whose stored profile still claims it.
        if (fresh && stored !== null && stored.address !== resolution.address) await renew(stored.address);
        return resolution.address;
      } catch (error) {
        // Stale is better than unavailable, but that a name had no holder is no answer for an outage.
        const known = (laterThan(stored, name) ?? stored)?.address;
        if (known && error instanceof RemoteError) return known;
        throw error;
      }
    },
  };
}
