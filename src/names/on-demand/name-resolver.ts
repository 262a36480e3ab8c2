import { LRUCache } from 'lru-cache';
import { withDeadline } from '../../async/deadline.ts';
import { createSingleFlight } from '../../async/single-flight.ts';
import type { UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { BusyError } from '../../remote/limiter.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import type { Holder } from '../name-holder.ts';
import { UnresolvableError } from '../profile-source.ts';
import type { OnDemandOptions } from './profile-refresher.ts';
import type { SharedNames } from './shared-names.ts';

/** Forward resolution: name to address. */
export interface NameResolver {
  /**
   * Returns null if the name resolves to no address, and throws a `RemoteError` if that is unknown. `fresh` bypasses
   * the cache.
   */
  addressOf(name: string, options: { fresh: boolean }): Promise<Address | null>;
}

export interface NameResolverOptions extends OnDemandOptions {
  readonly holderOf: (name: string) => Promise<Holder | null>;
  readonly shared: SharedNames;
  /** Refreshes the profile of an account; never rejects. */
  readonly renew: (account: Address) => Promise<void>;
}

/** Time to live of a resolution, including a negative one. */
export const RESULT_TTL_MS = 60_000;
/** Failures are cached briefly, so that a burst of requests does not become a burst of requests to the source. */
const FAILURE_TTL_MS = 5_000;
const MAX_CACHED = 10_000;

const late = () => new RemoteError('ens', 'name', { kind: 'timeout' });

type Resolution = { readonly startedAt: UnixMs; readonly expiresAt: UnixMs } & (
  | { readonly address: Address | null }
  | { readonly error: RemoteError }
);

/** Resolves from a fresh stored profile, else from the source; falls back to a stale profile if the source fails. */
export function createNameResolver(options: NameResolverOptions): NameResolver {
  const { source, holderOf, shared, renew, limiter, maxAgeMs, deadlineMs, now, logger } = options;
  const cache = new LRUCache<string, Resolution>({ max: MAX_CACHED });
  const flights = createSingleFlight<Resolution>();

  function readCache(name: string): Resolution | undefined {
    const cached = cache.get(name);
    return cached !== undefined && cached.expiresAt > now() ? cached : undefined;
  }

  /** A failure, or a result of an earlier request, does not replace a cached result that is still valid. */
  function writeCache(name: string, resolution: Resolution): Resolution {
    const cached = readCache(name);
    const keepsCached =
      cached !== undefined && 'address' in cached && ('error' in resolution || resolution.startedAt < cached.startedAt);
    if (!keepsCached) cache.set(name, resolution);
    return resolution;
  }

  async function resolve(name: string): Promise<Resolution> {
    const startedAt = now();
    try {
      const address = await limiter.run(() => source.fetchHolder(name));
      return writeCache(name, { address, startedAt, expiresAt: startedAt + RESULT_TTL_MS });
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      const failure = { error, startedAt, expiresAt: now() + FAILURE_TTL_MS };
      // Nothing was asked, and another client may have a share of the budget left.
      if (error instanceof BusyError) return failure;
      if (error instanceof UnresolvableError) logger.info({ err: error, name }, 'name cannot be resolved');
      else logger.warn({ err: error, name }, 'name resolution failed');
      return writeCache(name, failure);
    }
  }

  async function resolveInTime(name: string, fresh: boolean): Promise<Resolution> {
    const flight = flights.run(`${fresh} ${name}`, () => resolve(name));
    const onTimeout = () => {
      const error = late();
      // Cached, so that the next request does not wait for the same slow source again.
      writeCache(name, { error, startedAt: now(), expiresAt: now() + FAILURE_TTL_MS });
      return error;
    };
    return withDeadline(flight, deadlineMs, onTimeout);
  }

  /** Reads what another process may have resolved. */
  async function readShared(name: string): Promise<void> {
    const found = await shared.read(name);
    if (found === null) return;
    const { address, resolvedAt: startedAt } = found;
    const expiresAt = startedAt + RESULT_TTL_MS;
    if (expiresAt > now()) writeCache(name, { address, startedAt, expiresAt });
  }

  /** Without a shared resolution, other processes answer from theirs for a minute. */
  async function share(name: string, address: Address | null, resolvedAt: UnixMs): Promise<void> {
    try {
      await withDeadline(shared.write(name, { address, resolvedAt }), deadlineMs, late);
    } catch (error) {
      logger.warn({ err: error, name }, 'a resolved name could not be stored for other processes');
    }
  }

  return {
    async addressOf(name, { fresh }) {
      const [stored] = await Promise.all([holderOf(name), readShared(name)]);
      const cached = fresh ? undefined : readCache(name);
      if (!fresh && stored !== null && stored.fresh > now() - maxAgeMs) {
        const isCacheNewer = cached !== undefined && 'address' in cached && cached.startedAt > stored.fresh;
        return isCacheNewer ? cached.address : stored.address;
      }
      try {
        const resolution = cached ?? (await resolveInTime(name, fresh));
        if ('error' in resolution) throw resolution.error;
        // The profile of an account shares its own name.
        if (fresh && stored?.address !== resolution.address) {
          await share(name, resolution.address, resolution.startedAt);
        }
        // The name has moved: refresh the former holder, whose stored profile still claims it.
        if (fresh && stored !== null && stored.address !== resolution.address) await renew(stored.address);
        return resolution.address;
      } catch (error) {
        // Stale is better than unavailable.
        if (stored !== null && error instanceof RemoteError) return stored.address;
        throw error;
      }
    },
  };
}
