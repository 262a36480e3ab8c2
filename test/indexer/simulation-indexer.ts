import { pino } from 'pino';
import { runIndexer } from '../../src/indexer/run-indexer.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { Store } from '../../src/store/store.ts';
import type { Anvil } from './anvil.ts';
import { type RunningIndexer, untilIndexed } from './harness.ts';

/** An indexer in this process that can be stopped, killed and started again. */
export interface SimulatedIndexer {
  start(): void;
  /** Asks it to end, and waits until all that were started have; rejects if one of them failed. */
  stop(): Promise<void>;
  /** Asks it to end and starts another one without waiting. */
  replace(): void;
  /** Kills it in the middle of its `writes`-th write from now, and starts it again. */
  kill(writes: number): Promise<string>;
  untilIndexed(anvils: readonly Anvil[]): Promise<void>;
}

export interface SimulatedIndexerOptions {
  readonly store: Store;
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>;
  readonly timeoutMs?: number;
  readonly ranksMs?: number;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** More than a lease lasts: who starts after a kill finds the lease of the dead run out. */
const LATER_MS = 10_000;

class Killed extends Error {}

export function createSimulatedIndexer(options: SimulatedIndexerOptions): SimulatedIndexer {
  const { store, rpcUrls, timeoutMs = 5_000, ranksMs = 100, now = Date.now } = options;
  let running: (RunningIndexer & { mortal: MortalStore }) | undefined;
  const replaced: Promise<void>[] = [];
  let later = 0;

  const start = () => {
    const ending = new AbortController();
    const mortal = createMortalStore(store);
    const offset = later;
    const ended = runIndexer({
      config: {
        deployment: deployments.mainnet,
        rpcUrls,
        startBlocks: new Map([...rpcUrls.keys()].map((chainId) => [chainId, 0])),
        pollMs: 10,
        ranksMs,
        rpcTimeoutMs: timeoutMs,
      },
      store: mortal.store,
      logger: pino({ level: 'silent' }),
      now: () => now() + offset,
      random: Math.random,
      fetch: globalThis.fetch,
      signal: ending.signal,
      refreshProfiles: null,
      showProgress: () => ({ update: () => undefined, end: () => undefined }),
    });
    ended.catch(() => undefined);
    running = {
      ended,
      mortal,
      log: [],
      async stop() {
        ending.abort();
        await ended;
      },
    };
  };
  const current = () => {
    if (running === undefined) throw new Error('nothing is running');
    return running;
  };

  return {
    start,
    async stop() {
      await current().stop();
      await Promise.all(replaced.splice(0));
    },
    replace() {
      const stopping = current().stop();
      stopping.catch(() => undefined);
      replaced.push(stopping);
      start();
    },
    async kill(writes) {
      const { mortal, ended } = current();
      mortal.dieAfter(writes);
      // Nothing waits for the dead: this only sees to it that it died of what it was meant to die of.
      const cause = await ended.catch((error: unknown) => error);
      if (!(cause instanceof Killed)) throw cause;
      later += LATER_MS;
      start();
      return cause.message;
    },
    untilIndexed: (anvils) => untilIndexed(store, anvils, current()),
  };
}

interface MortalStore {
  readonly store: Store;
  dieAfter(writes: number): void;
}

/** A store that from some write on does nothing, not even let go of a lock, as nothing of a dead process does. */
function createMortalStore(store: Store): MortalStore {
  let left = Number.POSITIVE_INFINITY;
  const transaction: Store['transaction'] = (work) => {
    left -= 1;
    if (left < 0) return Promise.reject(new Killed('before a write'));
    if (left > 0) return store.transaction(work);
    return store.transaction(async (tx) => {
      await work(tx);
      throw new Killed('in the middle of a write');
    });
  };
  return {
    store: {
      ...store,
      transaction,
      createIndexerLock(now) {
        const lock = store.createIndexerLock(now);
        const alive = <T>(work: () => Promise<T>) => (left > 0 ? work() : Promise.reject(new Killed('with its lock')));
        return {
          hold: () => alive(() => lock.hold()),
          fence: (tx) => lock.fence(tx),
          // On PostgreSQL the server lets go of the lock with the connection; a lease is left as it is.
          release: () => (left > 0 || store.engine === 'postgres' ? lock.release() : Promise.resolve()),
        };
      },
    },
    dieAfter(writes) {
      left = writes + 1;
    },
  };
}
