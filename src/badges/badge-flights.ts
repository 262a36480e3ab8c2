import type { Logger } from 'pino';
import type { Address } from '../protocol/hex.ts';
import { createLimiter } from '../remote/limiter.ts';
import type { Row } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { BadgeFetcher } from './badge-fetcher.ts';
import { writeCheckedBadges } from './badge-rows.ts';

/** One badge that is asked for, by however many. */
export interface BadgeFlight {
  readonly eventId: string;
  /** Resolves when it is known how the request went; never rejects, for nobody may be waiting. */
  readonly ended: Promise<void>;
  /** Resolves when what was found out is stored, or could not be; never rejects either. */
  readonly settled: Promise<void>;
  readonly outcome: { badge: Row<'badges'> } | { error: unknown } | null;
}

/** What is being asked for, or is not stored yet. */
export interface BadgeFlights {
  /** Asks for badges of an account, except for those that are being asked for. */
  ask(account: Address, eventIds: readonly string[]): BadgeFlight[];
  /** Those of an account that are out, or have come back but are not stored. */
  of(account: Address): BadgeFlight[];
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
}

export interface BadgeFlightsOptions {
  readonly store: Pick<Store, 'transaction'>;
  readonly fetcher: BadgeFetcher;
  /** Accounts whose badges may wait to be stored. */
  readonly maxWaiting: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Once it has come, nothing more is stored. */
  readonly signal: AbortSignal;
}

export function createBadgeFlights(options: BadgeFlightsOptions): BadgeFlights {
  const { store, fetcher, maxWaiting, logger, signal } = options;
  const flights = new Map<Address, Map<string, BadgeFlight>>();
  const batches = new Set<Promise<void>>();
  // One at a time: each transaction that waits for a long import holds a connection that lookups need.
  const writes = createLimiter('badges', 1, maxWaiting);

  function depart(account: Address, eventId: string, settled: Promise<void>): BadgeFlight {
    let outcome: BadgeFlight['outcome'] = null;
    const ended = fetcher.fetchBadge(account, eventId).then(
      (badge) => {
        outcome = { badge };
      },
      (error: unknown) => {
        outcome = { error };
      },
    );
    return {
      eventId,
      ended,
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

  /** Stores a batch when all of it is there, and forgets it: who asks from now on finds it stored. */
  async function land(account: Address, batch: readonly BadgeFlight[]): Promise<void> {
    await Promise.all(batch.map(({ ended }) => ended));
    try {
      await writes.run(() => write(batch.flatMap(badgeOf)));
    } catch (error) {
      logger.warn({ err: error }, 'badges cannot be stored: they are answered, but will have to be asked for again');
    }
    const current = flights.get(account);
    for (const flight of batch) if (current?.get(flight.eventId) === flight) current.delete(flight.eventId);
    if (current?.size === 0) flights.delete(account);
  }

  return {
    ask(account, eventIds) {
      const current = flights.get(account) ?? new Map<string, BadgeFlight>();
      const batch: BadgeFlight[] = [];
      let settle: (() => void) | undefined;
      const settled = new Promise<void>((resolve) => {
        settle = resolve;
      });
      const asked = eventIds.map((eventId) => {
        const known = current.get(eventId);
        if (known?.outcome === null) return known;
        const flight = depart(account, eventId, settled);
        current.set(eventId, flight);
        batch.push(flight);
        return flight;
      });
      if (batch.length > 0) {
        flights.set(account, current);
        const landing: Promise<void> = land(account, batch).finally(() => {
          batches.delete(landing);
          settle?.();
        });
        batches.add(landing);
      }
      return asked;
    },
    of: (account) => [...(flights.get(account)?.values() ?? [])],
    async settle() {
      await Promise.all(batches);
    },
  };
}

export function badgeOf({ outcome }: BadgeFlight): Row<'badges'>[] {
  return outcome !== null && 'badge' in outcome ? [outcome.badge] : [];
}
