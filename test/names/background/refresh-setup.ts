import { setImmediate } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { type RefreshOptions, refreshProfiles } from '../../../src/names/background/refresh-profiles.ts';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import type { ProfileSource } from '../../../src/names/profile-source.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { Ids } from '../../../src/rows/ids.ts';
import { createEndpoint } from '../../../src/rpc/endpoint.ts';
import { createNodeLimit } from '../../../src/rpc/node-limit.ts';
import { createRpcClient } from '../../../src/rpc/rpc-client.ts';
import type { Row } from '../../../src/store/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { useOwnDatabase } from '../../store/own-database.ts';
import type { Engine } from '../../support/engines.ts';
import { NOW } from '../accounts.ts';
import { type FakeEnsNode, startFakeEnsNode } from '../ens/fake-ens-node.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A generous timeout for responses that do arrive. */
const LONG_TIMEOUT_MS = 30_000;

/** A refresh between a real store and a fake node, on a manual clock. */
export interface RefreshSetup {
  readonly store: Store;
  readonly node: FakeEnsNode;
  /** The accounts whose profiles were fetched, in order. */
  readonly fetched: Address[];
  /** Unix milliseconds. */
  readonly now: () => number;
  /** When each request was sent. */
  readonly sentAt: number[];
  /** Maximum number of concurrent calls of the source. */
  readonly maxConcurrent: () => number;
  /** The pauses of the refresh loop. */
  readonly pauses: number[];
  /** Whether the clock advances while the source has not responded. */
  isSlow: boolean;
  readonly logged: { level: 'info' | 'warn' | 'debug'; message: string }[];
  /** The outcome of each fetched profile. */
  readonly outcomes: string[];
  start(changes?: Partial<RefreshOptions>): Refresh;
}

interface Refresh {
  /** Advances the clock, after all requests have completed unless the source is slow. */
  pass(ms: number): Promise<void>;
  /** Stops the refresh and returns its rejection. */
  stop(): Promise<unknown>;
  readonly ended: Promise<never>;
}

/** Creates one setup per test, with an empty database. */
export function useRefreshSetup(engine: Engine): () => Promise<RefreshSetup> {
  const own = useOwnDatabase(engine);
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return async () => {
    const store = await own.open();
    const node = await startFakeEnsNode();
    closers.push(node.stop);
    return createSetup(store, node, closers);
  };
}

function createSetup(store: Store, node: FakeEnsNode, closers: (() => Promise<unknown>)[]): RefreshSetup {
  const fetched: Address[] = [];
  const sentAt: number[] = [];
  const pauses: number[] = [];
  const logged: RefreshSetup['logged'] = [];
  const outcomes: string[] = [];
  let [now, active, maxConcurrent] = [NOW, 0, 0];

  const passTo = (time: number) => {
    now = Math.max(now, time);
  };
  const untilAnswered = async () => {
    // At least one event-loop turn, so that started requests are sent.
    do await setImmediate();
    while (active > 0 && !setup.isSlow);
  };
  const log = (level: RefreshSetup['logged'][number]['level']) => (_: unknown, message?: string) => {
    logged.push({ level, message: message ?? String(_) });
  };

  function start(changes: Partial<RefreshOptions> = {}): Refresh {
    const { requestsPerSecond = 20 } = changes;
    const ending = new AbortController();
    const clock = createSteps(() => now, passTo, untilAnswered);
    const send: typeof fetch = (...request) => {
      sentAt.push(now);
      return fetch(...request);
    };
    const sleepForSource = async (ms: number) => {
      await setImmediate();
      passTo(now + ms);
    };
    const limit = createNodeLimit(
      { callsPerSecond: requestsPerSecond, callsInFlight: null },
      { now: () => now, sleep: sleepForSource },
    );
    const endpoint = createEndpoint({
      url: node.url,
      fetch: (...request) => limit.run(1, () => send(...request)),
      timeoutMs: LONG_TIMEOUT_MS,
      signal: ending.signal,
    });
    const client = createRpcClient({
      chainId: 1,
      endpoints: [endpoint],
      sleep: sleepForSource,
      now: () => now,
      random: () => 0,
      onFault: () => undefined,
    });
    const source = createChainSource({ client, ccip: null, now: () => now });
    const counted: ProfileSource = {
      ...source,
      async fetchProfile(account, storedName) {
        fetched.push(account);
        active += 1;
        maxConcurrent = Math.max(maxConcurrent, active);
        try {
          return await source.fetchProfile(account, storedName);
        } finally {
          active -= 1;
        }
      },
    };
    const ended = refreshProfiles({
      reader: store.reader,
      write: store.transaction,
      source: counted,
      gateways: { ipfs: 'https://ipfs.example', arweave: 'https://ar.example', network: 'mainnet' },
      maxAgeMs: DAY_MS,
      requestsPerSecond,
      now: () => now,
      monotonic: () => now,
      sleep: async (ms) => {
        pauses.push(ms);
        await clock.sleep(ms);
      },
      ending: ending.signal,
      onOutcome: (outcome) => outcomes.push(outcome),
      logger: { info: log('info'), warn: log('warn'), debug: log('debug') },
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

  const setup: RefreshSetup = {
    store,
    node,
    fetched,
    now: () => now,
    sentAt,
    maxConcurrent: () => maxConcurrent,
    pauses,
    isSlow: false,
    logged,
    outcomes,
    start,
  };
  return setup;
}

/** A manual clock for a single sleeping loop. */
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

/** Inserts leaderboard rows, regardless of the graph. */
export async function addMembers(store: Store, addresses: readonly Address[]): Promise<void> {
  await store.transaction(async (tx) => {
    const ids = new Ids();
    await ids.assign(tx, addresses);
    const counts = { followers: 1, following: 0, mutuals: 0, blocks: 0, top8: 0 };
    await tx.insert(
      'leaderboard',
      addresses.map((address) => ({ account: ids.requireId(address), address_key: address, ...counts })),
    );
  });
}

export async function queuedProfiles(store: Store): Promise<Row<'wanted_profiles'>[]> {
  return store.transaction((tx) =>
    tx.query((db) => db.selectFrom('wanted_profiles').selectAll().orderBy('priority').orderBy('address')),
  );
}

export async function profilesOf(store: Store): Promise<Map<string, Row<'profiles'>>> {
  const rows = await store.transaction((tx) => tx.query((db) => db.selectFrom('profiles').selectAll()));
  return new Map(rows.map((row) => [row.address, row]));
}
