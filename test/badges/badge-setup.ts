import { pino } from 'pino';
import { afterEach } from 'vitest';
import {
  createPoapBadgeSource,
  type PoapBadgeSource,
  type PoapBadgeSourceOptions,
} from '../../src/badges/badge-source.ts';
import { createPoapClient } from '../../src/badges/poap-client.ts';
import type { Address } from '../../src/protocol/hex.ts';
import { createSourceMetrics } from '../../src/remote/source-metrics.ts';
import type { Row } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import type { Engine } from '../support/engines.ts';
import { type FakePoap, type Reply, startFakePoap } from './fake-poap.ts';

export const ANN: Address = `0x${'a1'.repeat(20)}`;
export const BOB: Address = `0x${'b2'.repeat(20)}`;
export const KEY = 'a-key-that-must-not-leak';
export const EVENTS = ['177709', '178064', '178065'] as const;
export const NOW = 1_770_000_000_000;
export const HELD_MS = 86_400_000;
export const NOT_HELD_MS = 3_600_000;
const DEADLINE_MS = 3_000;

interface Line {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly msg: string;
}

/** A badge source between a real store and a fake POAP, on a manual clock. */
export interface BadgeSetup {
  readonly store: Store;
  readonly badges: PoapBadgeSource;
  readonly poap: FakePoap;
  /** The manual clock. */
  now: number;
  /** `account/event` of each request, in the order sent. */
  readonly requests: string[];
  /** Maximum number of concurrent requests. */
  readonly mostAtOnce: () => number;
  /** The pauses between retries. */
  readonly pauses: number[];
  /** Whether pauses last until the test ends them. */
  holdsPauses: boolean;
  /** Ends the pauses of a length, or all. */
  endPauses(length?: number): void;
  /** Expires the deadline of all waiting calls. */
  passDeadline(): void;
  /** Number of calls that wait for their deadline. */
  readonly waiting: () => number;
  readonly lines: Line[];
  messages(level: Line['level']): string[];
  /** Token by event; null for a badge that is not held. */
  tokensOf(account: Address, options?: { fresh: boolean }): Promise<Record<string, string | null>>;
}

export interface BadgeSetupOptions extends Partial<PoapBadgeSourceOptions> {
  readonly timeoutMs?: number;
  /** Wraps the store that the badge source uses. */
  readonly through?: (store: Store) => PoapBadgeSourceOptions['store'];
}

/** Creates one setup per test, with an empty database. */
export function useBadgeSetup(engine: Engine): (options?: BadgeSetupOptions) => Promise<BadgeSetup> {
  const database = useOwnDatabase(engine);
  const setups: BadgeSetup[] = [];
  // Hooks run in reverse order: the stores are closed after this.
  afterEach(async () => {
    for (const { badges, poap } of setups.splice(0)) {
      await badges.close();
      await poap.stop();
    }
  });
  return async (options) => {
    const setup = await createSetup(await database.open(), options);
    setups.push(setup);
    return setup;
  };
}

async function createSetup(store: Store, options: BadgeSetupOptions = {}): Promise<BadgeSetup> {
  const poap = await startFakePoap();
  const { timeoutMs = 60_000, through = (own) => own, ...changed } = options;
  const sleepers = new Map<() => void, number>();
  const wake = (isMeant: (ms: number) => boolean) => {
    for (const [wakeUp, ms] of sleepers) if (isMeant(ms)) wakeUp();
  };
  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const isDeadline = ms === (changed.deadlineMs ?? DEADLINE_MS);
      if (!isDeadline) setup.pauses.push(ms);
      const end = (settle: () => void) => {
        sleepers.delete(wakeUp);
        settle();
      };
      const wakeUp = () => end(resolve);
      sleepers.set(wakeUp, ms);
      signal.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true });
      if (signal.aborted) end(() => reject(signal.reason));
      else if (!isDeadline && !setup.holdsPauses) wakeUp();
    });
  let running = 0;
  let most = 0;
  const spyingFetch: typeof fetch = (input, init) => {
    setup.requests.push(String(input).split('/').slice(-2).join('/'));
    most = Math.max(most, ++running);
    return fetch(input, init).finally(() => running--);
  };
  const now = () => setup.now;
  const client = createPoapClient({ url: poap.url, key: KEY, fetch: spyingFetch, timeoutMs, now });
  const lines: Line[] = [];
  const write = (line: string) => {
    lines.push(JSON.parse(line));
  };
  const badges = createPoapBadgeSource({
    store: through(store),
    client,
    events: EVENTS,
    now,
    monotonic: now,
    heldMs: HELD_MS,
    notHeldMs: NOT_HELD_MS,
    deadlineMs: DEADLINE_MS,
    concurrency: 8,
    maxQueued: 100,
    // The clock stands still, so that the budget of calls is not refilled.
    callsPerSecond: 1_000,
    metrics: createSourceMetrics(),
    sleep,
    random: () => 1,
    logger: pino({ level: 'debug', formatters: { level: (level) => ({ level }) } }, { write }),
    ...changed,
  });
  const setup: BadgeSetup = {
    store,
    badges,
    poap,
    now: NOW,
    requests: [],
    mostAtOnce: () => most,
    pauses: [],
    holdsPauses: false,
    endPauses: (length) => wake((ms) => ms === (length ?? ms) && ms !== DEADLINE_MS),
    passDeadline: () => wake((ms) => ms === DEADLINE_MS),
    waiting: () => [...sleepers.values()].filter((ms) => ms === DEADLINE_MS).length,
    lines,
    messages: (shown) => lines.filter(({ level }) => level === shown).map(({ msg }) => msg),
    async tokensOf(account, options = { fresh: false }) {
      const collections = await badges.collectionsOf(account, options);
      return Object.fromEntries([...collections].map(([eventId, text]) => [eventId, tokenOf(text)]));
    },
  };
  return setup;
}

const tokenOf = (collection: string | null): string | null =>
  collection === null ? null : JSON.parse(collection).tokenId;

/** One reply per event. */
export const byEvent =
  (replies: Readonly<Record<string, Reply>>, otherwise: Reply): FakePoap['reply'] =>
  ({ eventId }) =>
    replies[eventId] ?? otherwise;

/** A sequence of replies per event; the last one repeats. */
export function inTurn(...replies: [Reply, ...Reply[]]): FakePoap['reply'] {
  const turns = new Map<string, number>();
  return ({ path }) => {
    const turn = turns.get(path) ?? 0;
    turns.set(path, turn + 1);
    return replies[Math.min(turn, replies.length - 1)] ?? replies[0];
  };
}

/** A stored row; a token makes it a held badge. */
export function row(account: Address, eventId: string, tokenId: string | null, checkedAt: number): Row<'badges'> {
  const collection = tokenId === null ? null : JSON.stringify({ tokenId });
  return { address: account, event_id: eventId, collection, checked_at: checkedAt };
}

export async function put(store: Store, rows: readonly Row<'badges'>[]): Promise<void> {
  await store.transaction((tx) => tx.upsert('badges', rows));
}

/** `event token checked_at` of every row of an account. */
export async function stored(store: Store, account: Address): Promise<string[]> {
  const rows = await store.transaction((tx) => tx.read('badges', ['address'], [[account]]));
  return rows.map(({ event_id, collection, checked_at }) => `${event_id} ${tokenOf(collection)} ${checked_at}`).sort();
}
