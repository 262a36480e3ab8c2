import { setImmediate } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { storedEntry } from '../../src/contract/entry-layout.ts';
import { sortKeyOf } from '../../src/graph/sort-key.ts';
import { createEnstateSource } from '../../src/names/enstate/enstate-source.ts';
import { createPacedFetch } from '../../src/names/paced-fetch.ts';
import { type RefreshOptions, refreshProfiles } from '../../src/names/refresh-profiles.ts';
import type { Address } from '../../src/protocol/hex.ts';
import type { Row } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import type { Engine } from '../support/engines.ts';
import { type FakeEnstate, startFakeEnstate } from './enstate/fake-enstate.ts';
import { control, NOW } from './enstate/set-up.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** For answers that come, however busy the machine is. */
const PATIENCE_MS = 30_000;

/** A refresh between a real store and an enstate server of our own; time passes only where a test says so. */
export interface RefreshWorld {
  readonly store: Store;
  readonly enstate: FakeEnstate;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** When each request was sent, on that clock. */
  readonly sentAt: number[];
  /** The most calls of the source that were under way together. */
  readonly mostAtOnce: () => number;
  /** The pauses that the refresh has made. */
  readonly pauses: number[];
  /** Whether time passes though the source has not answered. */
  isSlow: boolean;
  readonly said: { level: 'info' | 'warn' | 'debug'; message: string }[];
  start(changes?: Partial<RefreshOptions>): Refresh;
}

interface Refresh {
  /** Lets time pass. By then all that was asked has been answered, unless the source is slow. */
  pass(ms: number): Promise<void>;
  /** Tells it to end, and gives back what it rejects with. */
  stop(): Promise<unknown>;
  readonly ended: Promise<never>;
}

/** Makes worlds, each test's with an empty database of its own. */
export function useRefreshWorlds(engine: Engine): () => Promise<RefreshWorld> {
  const own = useOwnDatabase(engine);
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return async () => {
    const store = await own.open();
    const enstate = await startFakeEnstate(NOW);
    enstate.addName(control.name, control.account);
    closers.push(enstate.stop);
    return createWorld(store, enstate, closers);
  };
}

function createWorld(store: Store, enstate: FakeEnstate, closers: (() => Promise<unknown>)[]): RefreshWorld {
  const sentAt: number[] = [];
  const pauses: number[] = [];
  const said: RefreshWorld['said'] = [];
  let [now, active, mostAtOnce] = [NOW, 0, 0];

  const passTo = (time: number) => {
    now = Math.max(now, time);
    enstate.clock = now;
  };
  const untilAnswered = async () => {
    // A turn at least, so that what has been started gets on its way.
    do await setImmediate();
    while (active > 0 && !world.isSlow);
  };
  const say = (level: RefreshWorld['said'][number]['level']) => (_: unknown, message?: string) => {
    said.push({ level, message: message ?? String(_) });
  };

  function start(changes: Partial<RefreshOptions> = {}): Refresh {
    const { requestsPerSecond = 20 } = changes;
    const ending = new AbortController();
    const clock = createSteps(() => now, passTo, untilAnswered);
    const send: typeof fetch = (...request) => {
      sentAt.push(now);
      return fetch(...request);
    };
    const awaitTurn = async (ms: number) => {
      await setImmediate();
      passTo(now + ms);
    };
    const source = createEnstateSource({
      url: enstate.url,
      fetch: createPacedFetch({ fetch: send, requestsPerSecond, sleep: awaitTurn }),
      timeoutMs: PATIENCE_MS,
      signal: ending.signal,
      now: () => now,
      control,
    });
    const counted: typeof source = {
      ...source,
      async fetchProfiles(...asked) {
        active += 1;
        mostAtOnce = Math.max(mostAtOnce, active);
        try {
          return await source.fetchProfiles(...asked);
        } finally {
          active -= 1;
        }
      },
    };
    const ended = refreshProfiles({
      reader: store.reader,
      write: store.transaction,
      source: counted,
      gateways: { ipfs: 'https://ipfs.example', arweave: 'https://ar.example' },
      maxAgeMs: DAY_MS,
      requestsPerSecond,
      now: () => now,
      sleep: async (ms) => {
        pauses.push(ms);
        await clock.sleep(ms);
      },
      ending: ending.signal,
      logger: { info: say('info'), warn: say('warn'), debug: say('debug') },
      ...changes,
    });
    const outcome = ended.catch((error: unknown) => error);
    const stop = () => {
      ending.abort();
      clock.stop(ending.signal.reason);
      return outcome;
    };
    closers.push(stop);
    return { pass: (ms) => Promise.race([clock.pass(ms), ended]), stop, ended };
  }

  const world: RefreshWorld = {
    store,
    enstate,
    now: () => now,
    sentAt,
    mostAtOnce: () => mostAtOnce,
    pauses,
    isSlow: false,
    said,
    start,
  };
  return world;
}

/** The time of one sleeper, who sleeps until the test has let as much of it pass. */
function createSteps(now: () => number, passTo: (time: number) => void, untilAnswered: () => Promise<void>) {
  let target = now();
  let arrive: (() => void) | undefined;
  let wake: (() => void) | undefined;
  let over: { reason: unknown } | undefined;
  return {
    async sleep(ms: number): Promise<void> {
      const until = now() + ms;
      for (;;) {
        await untilAnswered();
        if (over !== undefined) throw over.reason;
        if (until <= target) break;
        passTo(target);
        arrive?.();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      passTo(until);
    },
    pass(ms: number): Promise<void> {
      target = Math.max(now(), target) + ms;
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      wake?.();
      return arrived;
    },
    stop(reason: unknown): void {
      over = { reason };
      wake?.();
    },
  };
}

/** Puts accounts on the leaderboard, whatever the graph says. */
export async function addMembers(store: Store, addresses: readonly Address[]): Promise<void> {
  await store.transaction((tx) => tx.insert('leaderboard', addresses.map(memberOf)));
}

function memberOf(address: Address): Row<'leaderboard'> {
  const counts = { followers: 1, following: 0, mutuals: 0, blocks: 0, top8: 0 };
  const entry = storedEntry({ address, name: '', avatar: '' }, counts);
  return { place: sortKeyOf(counts.followers, address), address, name: '', ...counts, entry };
}

export async function wantedOf(store: Store): Promise<Row<'wanted_profiles'>[]> {
  return store.transaction((tx) =>
    tx.query((db) => db.selectFrom('wanted_profiles').selectAll().orderBy('turn').orderBy('address')),
  );
}

export async function profilesOf(store: Store): Promise<Map<string, Row<'profiles'>>> {
  const rows = await store.transaction((tx) => tx.query((db) => db.selectFrom('profiles').selectAll()));
  return new Map(rows.map((row) => [row.address, row]));
}

/** The data version as it is stored: what a store knows of it may come later. */
export async function versionOf(store: Store): Promise<number> {
  const [state] = await store.transaction((tx) => tx.read('state', ['key'], [['data_version']]));
  return state?.value ?? 0;
}
