import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { createLimiter } from '../remote/limiter.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { Row } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { createBadgeFetcher, type Sleep } from './badge-fetcher.ts';
import { type BadgeFlight, badgeOf, createBadgeFlights } from './badge-flights.ts';
import { prepareBadges } from './badge-rows.ts';
import type { BadgeSource } from './badge-source.ts';
import { createOutageLog } from './outage-log.ts';
import type { PoapClient } from './poap-client.ts';

export interface LiveBadges extends BadgeSource {
  /** Ends all requests; once it has resolved nothing more is written. What was not stored is lost. */
  close(): Promise<void>;
}

export interface LiveBadgesOptions {
  readonly store: Pick<Store, 'reader' | 'transaction'>;
  readonly client: PoapClient;
  /** The events that are asked for. */
  readonly events: readonly string[];
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How long a badge counts as held once it was found to be, and as not held. */
  readonly heldMs: number;
  readonly notHeldMs: number;
  /** How long an answer waits for what is not known. */
  readonly deadlineMs: number;
  /** Requests at a time, for all accounts together, and how many more may wait. */
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
}

/** Answers from what is stored and asks POAP for what is missing or old. What it does not know is an error, never a no. */
export function createLiveBadges(options: LiveBadgesOptions): LiveBadges {
  const { store, client, events, now, heldMs, notHeldMs, deadlineMs, maxWaiting, sleep, random, logger } = options;
  const ending = new AbortController();
  const { signal } = ending;
  // Every request listens; more than ten of them are no leak.
  setMaxListeners(0, signal);
  const limiter = createLimiter('POAP', options.concurrency, maxWaiting);
  const outage = createOutageLog(logger);
  const fetcher = createBadgeFetcher({ client, limiter, sleep, random, outage, signal });
  const flights = createBadgeFlights({ store, fetcher, maxWaiting, logger, signal });
  const readBadges = prepareBadges(store.reader);

  const isYoung = (badge: Row<'badges'> | undefined) =>
    badge !== undefined && now() - badge.checked_at < (badge.collection === null ? notHeldMs : heldMs);

  async function untilDeadline(awaited: readonly Promise<void>[]): Promise<void> {
    if (awaited.length === 0) return;
    const over = new AbortController();
    const deadline = sleep(deadlineMs, over.signal).catch(() => undefined);
    await Promise.race([Promise.all(awaited), deadline]);
    over.abort();
  }

  return {
    async collectionsOf(account, { fresh }) {
      // Taken before and after: an answer that is stored while we read is seen in one place at least.
      const before = flights.of(account);
      const stored = await readBadges({ account });
      const known = freshest([...stored, ...[...before, ...flights.of(account)].flatMap(badgeOf)]);
      const asked = flights.ask(
        account,
        events.filter((eventId) => fresh || !isYoung(known.get(eventId))),
      );
      const unknown = asked.filter(({ eventId }) => !known.has(eventId));
      // What is merely old is renewed behind the answer's back; what is to be fresh is to be so for everybody.
      await untilDeadline(fresh ? asked.map(({ settled }) => settled) : unknown.map(({ ended }) => ended));
      const badges = freshest([...known.values(), ...asked.flatMap(badgeOf)]);
      const missing = asked.filter(({ eventId }) => !badges.has(eventId));
      if (missing.length > 0) throw reasonOf(missing);
      return new Map([...badges].map(([eventId, { collection }]) => [eventId, collection]));
    },
    async close() {
      ending.abort();
      await flights.settle();
    },
  };
}

/** The badge of each event that was asked for last. */
function freshest(badges: readonly Row<'badges'>[]): Map<string, Row<'badges'>> {
  return new Map(badges.toSorted((a, b) => a.checked_at - b.checked_at).map((badge) => [badge.event_id, badge]));
}

/** Why badges are not known. */
function reasonOf(missing: readonly BadgeFlight[]): unknown {
  for (const { outcome } of missing) if (outcome !== null && 'error' in outcome) return outcome.error;
  return new RemoteError('POAP', 'badges', { kind: 'timeout' });
}
