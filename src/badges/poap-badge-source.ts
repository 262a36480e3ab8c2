import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { UnixMs } from '../async/unix-time.ts';
import { createCallBudget } from '../remote/call-budget.ts';
import { BusyError, createLimiter } from '../remote/limiter.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { SourceMetrics } from '../remote/source-metrics.ts';
import type { Row } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { createBadgeFetcher, type Sleep } from './badge-fetcher.ts';
import { type BadgeRequest, badgeOf, createBadgeRequests } from './badge-requests.ts';
import { BADGES } from './badge-rows.ts';
import type { BadgeSource } from './badge-source.ts';
import { createOutageLog } from './outage-log.ts';
import type { PoapClient } from './poap-client.ts';

export interface PoapBadgeSource extends BadgeSource {
  /** Aborts all requests. Nothing is written after it resolves. */
  close(): Promise<void>;
}

export interface PoapBadgeSourceOptions {
  readonly store: Pick<Store, 'reader' | 'transaction'>;
  readonly client: PoapClient;
  readonly events: readonly string[];
  readonly now: () => UnixMs;
  /** Maximum age of a positive and of a negative check. */
  readonly heldMs: number;
  readonly notHeldMs: number;
  /** How long a response waits for badges that are unknown. */
  readonly deadlineMs: number;
  /** Concurrency limit over all accounts, and its queue length. */
  readonly concurrency: number;
  readonly maxQueued: number;
  readonly callsPerSecond: number;
  readonly metrics: SourceMetrics;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
}

/** Share of the calls for stale badges. Clients wait for the others, and a page is slow without them. */
const REFRESH_SHARE = 1 / 4;

/** Reads stored badge checks and fetches missing or stale ones from POAP. Unknown is an error, never "not held". */
export function createPoapBadgeSource(options: PoapBadgeSourceOptions): PoapBadgeSource {
  const { store, client, events, now, heldMs, notHeldMs, deadlineMs, maxQueued, sleep, random, logger } = options;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  // Each request adds a listener; more than ten are not a leak.
  setMaxListeners(0, signal);
  const limiter = createLimiter('POAP', options.concurrency, maxQueued);
  const outage = createOutageLog(logger);
  const createBudget = (share: number) =>
    createCallBudget({
      name: 'POAP',
      callsPerSecond: options.callsPerSecond * share,
      now,
      onUsedUp: () => logger.warn({ source: 'poap' }, 'rate limit of a source reached, serving stored data'),
      onRejected: () => options.metrics.rejected('poap'),
    });
  const budgets = { requested: createBudget(1 - REFRESH_SHARE), refresh: createBudget(REFRESH_SHARE) };
  const measured: PoapClient = {
    fetchBadge(...args) {
      options.metrics.requested('poap');
      return options.metrics.measure({ source: 'poap', of: 'badge' }, () => client.fetchBadge(...args), outcomeOf);
    },
  };
  const fetcher = createBadgeFetcher({ client: measured, limiter, budgets, sleep, random, outage, signal });
  const requests = createBadgeRequests({ store, fetcher, maxQueued, logger, signal });

  const isFresh = (badge: Row<'badges'> | undefined) =>
    badge !== undefined && now() - badge.checked_at < (badge.collection === null ? notHeldMs : heldMs);

  async function waitUntilDeadline(promises: readonly Promise<void>[]): Promise<void> {
    if (promises.length === 0) return;
    const done = new AbortController();
    const deadline = sleep(deadlineMs, done.signal).catch(() => undefined);
    await Promise.race([Promise.all(promises), deadline]);
    done.abort();
  }

  return {
    async collectionsOf(account, { fresh }) {
      // Read before and after the query, so that a badge stored meanwhile is found in at least one place.
      const before = requests.of(account);
      const stored = await store.reader.all(BADGES, { account });
      const known = freshest([...stored, ...[...before, ...requests.of(account)].flatMap(badgeOf)]);
      const due = events.filter((eventId) => fresh || !isFresh(known.get(eventId)));
      const isAwaited = (eventId: string) => fresh || !known.has(eventId);
      const awaited = requests.request(account, due.filter(isAwaited), 'requested');
      const refreshed = due.filter((eventId) => !isAwaited(eventId));
      const requested = [...awaited, ...requests.request(account, refreshed, 'refresh')];
      // Stale badges are refreshed in the background. `fresh` waits for the write, so that every process sees it.
      await waitUntilDeadline(awaited.map(({ settled, fetched }) => (fresh ? settled : fetched)));
      const busy = fresh ? awaited.map(errorIn).find((error) => error instanceof BusyError) : undefined;
      if (busy !== undefined) throw busy;
      const badges = freshest([...known.values(), ...requested.flatMap(badgeOf)]);
      const missing = requested.filter(({ eventId }) => !badges.has(eventId));
      if (missing.length > 0)
        throw missing.map(errorIn).find(Boolean) ?? new RemoteError('POAP', 'badges', { kind: 'timeout' });
      return new Map([...badges].map(([eventId, { collection }]) => [eventId, collection]));
    },
    async close() {
      shutdown.abort();
      await requests.settle();
    },
  };
}

function outcomeOf(result: Row<'badges'> | Error): string {
  if (result instanceof Error) return 'failed';
  return result.collection === null ? 'absent' : 'found';
}

/** The most recent check of each event. */
function freshest(badges: readonly Row<'badges'>[]): Map<string, Row<'badges'>> {
  return new Map(badges.toSorted((a, b) => a.checked_at - b.checked_at).map((badge) => [badge.event_id, badge]));
}

function errorIn({ outcome }: BadgeRequest): unknown {
  return outcome !== null && 'error' in outcome ? outcome.error : undefined;
}
