import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { isAhead, isRecent, type MonotonicMs, type UnixMs } from '../async/unix-time.ts';
import type { Address } from '../protocol/hex.ts';
import { createOnDemand, type Flight, type OnDemandTools, valuesOf } from '../remote/on-demand.ts';
import { requireRemote } from '../remote/remote-error.ts';
import type { SourceMetrics } from '../remote/source-metrics.ts';
import { createSourceQueue } from '../remote/source-queue.ts';
import type { Row } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { BADGES, writeCheckedBadges } from './badge.ts';
import { type BadgeFetch, createBadgeFetcher, type PoapClient } from './poap-client.ts';

export type PoapBadgeSource = ReturnType<typeof createPoapBadgeSource>;
/** Fetches badges on demand. Without one, lookups read stored badges only. */
export type BadgeSource = Pick<PoapBadgeSource, 'collectionsOf'>;

export interface PoapBadgeSourceOptions extends OnDemandTools {
  readonly store: Pick<Store, 'reader' | 'transaction'>;
  readonly client: PoapClient;
  readonly events: readonly string[];
  readonly now: () => UnixMs;
  readonly monotonic: () => MonotonicMs;
  /** Maximum age of a positive and of a negative check. */
  readonly heldMs: number;
  readonly notHeldMs: number;
  /** Concurrency limit for each urgency, and how many may wait. */
  readonly concurrency: number;
  readonly maxQueued: number;
  readonly callsPerSecond: number;
  readonly metrics: SourceMetrics;
  readonly random: () => number;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
}

const SOURCE = 'poap';
/** Share of the calls for stale badges. Clients wait for the others, and a page is slow without them. */
const REFRESH_SHARE = 1 / 4;

/** Reads stored badge checks and fetches missing or stale ones from POAP. Unknown is an error, never "not held". */
export function createPoapBadgeSource(options: PoapBadgeSourceOptions) {
  const { store, client, events, now, heldMs, notHeldMs, deadlineMs, metrics, logger } = options;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  // Each request adds a listener; more than ten are not a leak.
  setMaxListeners(0, signal);
  /** Each urgency has its own calls, so that neither starves the other. */
  const createQueue = (share: number) =>
    createSourceQueue({
      name: SOURCE,
      concurrency: options.concurrency,
      callsPerSecond: options.callsPerSecond * share,
      maxWaiting: options.maxQueued,
      maxWaitMs: deadlineMs,
      monotonic: options.monotonic,
      logger,
      metrics,
    });
  const measured: PoapClient = {
    fetchBadge(...args) {
      metrics.requested(SOURCE);
      return metrics.measure({ source: SOURCE, of: 'badge' }, () => client.fetchBadge(...args), outcomeOf);
    },
  };
  const createFetch = createBadgeFetcher({ ...options, client: measured, signal });
  const fetchRequested = createFetch(createQueue(1 - REFRESH_SHARE));
  const fetchStale = createFetch(createQueue(REFRESH_SHARE));
  const badges = createOnDemand<Row<'badges'>>({
    ...{ ...options, source: SOURCE, of: 'badges' },
    async write(checked) {
      if (!signal.aborted) await store.transaction((tx) => writeCheckedBadges(tx, checked, now()));
    },
  });

  const isFresh = (badge: Row<'badges'> | undefined) =>
    badge !== undefined && isRecent(badge.checked_at, badge.collection === null ? notHeldMs : heldMs, now());

  return {
    /**
     * Serialised collections of an account by event; null or absent means not held. Throws a `RemoteError` if that is
     * unknown. `fresh` bypasses stored checks.
     */
    async collectionsOf(account: Address, { fresh }: { fresh: boolean }): Promise<ReadonlyMap<string, string | null>> {
      const readAt = now();
      const keyOf = (eventId: string) => `${account}/${eventId}`;
      const request = (eventIds: readonly string[], fetch: BadgeFetch) =>
        badges.request(eventIds.map(keyOf), (key) => fetch(account, key.slice(account.length + 1)));
      const inFlight = () => badges.inFlight(events.map(keyOf));
      // Read before and after the query, so that a badge stored meanwhile is found in at least one place.
      const before = inFlight();
      const stored = await store.reader.all(BADGES, { account });
      const known = freshest([...stored, ...[...before, ...inFlight()].flatMap(valuesOf)], readAt);
      const due = events.filter((eventId) => fresh || !isFresh(known.get(eventId)));
      const wanted = due.filter((eventId) => fresh || !known.has(eventId));
      const awaited = request(wanted, fetchRequested);
      // Stale badges are refreshed in the background. `fresh` waits for the write, so that every process sees it.
      const refreshed = request(
        due.filter((eventId) => !wanted.includes(eventId)),
        fetchStale,
      );
      const settled = Promise.allSettled(awaited.map(({ fetched, stored }) => (fresh ? stored : fetched)));
      const late = awaited.length > 0 && (await badges.inTime(settled).catch(requireRemote));
      const found = freshest([...known.values(), ...[...awaited, ...refreshed].flatMap(valuesOf)], readAt);
      const missing = awaited.filter((_, i) => !found.has(wanted[i] ?? ''));
      if (missing.length > 0) throw missing.flatMap(errorOf)[0] ?? late;
      return new Map([...found].map(([eventId, { collection }]) => [eventId, collection]));
    },
    /** Aborts all requests. Nothing is written after it resolves. */
    async close() {
      shutdown.abort();
      await badges.settle();
    },
  };
}

function outcomeOf(result: Row<'badges'> | Error): string {
  if (result instanceof Error) return 'failed';
  return result.collection === null ? 'absent' : 'found';
}

/** The most recent check of each event. One whose clock was ahead may be older than any other. */
function freshest(badges: readonly Row<'badges'>[], readAt: UnixMs): Map<string, Row<'badges'>> {
  const timeOf = ({ checked_at }: Row<'badges'>) => (isAhead(checked_at, readAt) ? 0 : checked_at);
  return new Map(badges.toSorted((a, b) => timeOf(a) - timeOf(b)).map((badge) => [badge.event_id, badge]));
}

function errorOf({ outcome }: Flight<Row<'badges'>>): unknown[] {
  return outcome !== null && 'error' in outcome ? [outcome.error] : [];
}
