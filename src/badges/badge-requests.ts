import type { Logger } from 'pino';
import type { Address } from '../protocol/hex.ts';
import { createLimiter } from '../remote/limiter.ts';
import type { Row } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { BadgeFetcher, Urgency } from './badge-fetcher.ts';
import { writeCheckedBadges } from './badge-rows.ts';

/** A request for one badge, shared by all callers (single flight). */
export interface BadgeRequest {
  readonly eventId: string;
  /** Resolves when `outcome` is set; never rejects, because there may be no caller to handle it. */
  readonly fetched: Promise<void>;
  /** Resolves when the badge is stored, or storing it has failed; never rejects. */
  readonly settled: Promise<void>;
  readonly outcome: { badge: Row<'badges'> } | { error: unknown } | null;
}

export interface BadgeRequestsOptions {
  readonly store: Pick<Store, 'transaction'>;
  readonly fetcher: BadgeFetcher;
  /** Maximum number of queued writes. */
  readonly maxQueued: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Once aborted, nothing more is written. */
  readonly signal: AbortSignal;
}

/** Requests in progress, and results that are not stored yet. */
export function createBadgeRequests(options: BadgeRequestsOptions) {
  const { store, fetcher, maxQueued, logger, signal } = options;
  const requests = new Map<Address, Map<string, BadgeRequest>>();
  const batches = new Set<Promise<void>>();
  // One at a time: a transaction that waits behind a long import holds a pool connection that lookups need.
  const writes = createLimiter('badges', 1, maxQueued);

  function start(account: Address, eventId: string, urgency: Urgency, settled: Promise<void>): BadgeRequest {
    let outcome: BadgeRequest['outcome'] = null;
    const fetched = fetcher.fetchBadge(account, eventId, urgency).then(
      (badge) => {
        outcome = { badge };
      },
      (error: unknown) => {
        outcome = { error };
      },
    );
    return {
      eventId,
      fetched,
      settled,
      get outcome() {
        return outcome;
      },
    };
  }

  async function write(badges: readonly Row<'badges'>[]): Promise<void> {
    if (signal.aborted || badges.length === 0) return;
    await store.transaction((tx) => writeCheckedBadges(tx, badges));
  }

  /** Writes a batch when all of it is fetched, then drops it: later lookups read it from the database. */
  async function storeBatch(account: Address, batch: readonly BadgeRequest[]): Promise<void> {
    await Promise.all(batch.map(({ fetched }) => fetched));
    try {
      await writes.run(() => write(batch.flatMap(badgeOf)));
    } catch (error) {
      logger.warn({ err: error }, 'failed to store fetched badges, they will be fetched again');
    }
    const current = requests.get(account);
    for (const request of batch) if (current?.get(request.eventId) === request) current.delete(request.eventId);
    if (current?.size === 0) requests.delete(account);
  }

  return {
    /** Requests badges of an account, joining requests that are in progress. */
    request(account: Address, eventIds: readonly string[], urgency: Urgency): BadgeRequest[] {
      const current = requests.get(account) ?? new Map<string, BadgeRequest>();
      const batch: BadgeRequest[] = [];
      const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
      const requested = eventIds.map((eventId) => {
        const known = current.get(eventId);
        if (known?.outcome === null) return known;
        const request = start(account, eventId, urgency, settled);
        current.set(eventId, request);
        batch.push(request);
        return request;
      });
      if (batch.length > 0) {
        requests.set(account, current);
        const storing: Promise<void> = storeBatch(account, batch).finally(() => {
          batches.delete(storing);
          settle();
        });
        batches.add(storing);
      }
      return requested;
    },
    /** Requests of an account that are in progress or not stored yet. */
    of: (account: Address): BadgeRequest[] => [...(requests.get(account)?.values() ?? [])],
    /** Waits for all requests and writes in progress. */
    async settle(): Promise<void> {
      await Promise.all(batches);
    },
  };
}

export function badgeOf({ outcome }: BadgeRequest): Row<'badges'>[] {
  return outcome !== null && 'badge' in outcome ? [outcome.badge] : [];
}
