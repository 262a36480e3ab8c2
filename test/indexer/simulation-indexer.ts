import { pino } from 'pino';
import { readMonotonic } from '../../src/async/unix-time.ts';
import { runIndexer } from '../../src/indexer/run-indexer.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import { UNLIMITED } from '../../src/rpc/node-limit.ts';
import { LEASE_NAME } from '../../src/store/lease.ts';
import type { Store } from '../../src/store/store.ts';
import type { EvmNode } from './evm-node.ts';
import { type RunningIndexer, untilIndexed } from './harness.ts';

/** An indexer in this process that can be stopped, killed and restarted. */
export interface SimulatedIndexer {
  start(): void;
  /** Stops it and waits for all runs to end. Rejects if one of them failed. */
  stop(): Promise<void>;
  /** Stops it and starts another one without waiting. */
  replace(): void;
  /** Kills it during its `writes`-th write from now, and restarts it. */
  kill(writes: number): Promise<string>;
  untilIndexed(nodes: readonly EvmNode[]): Promise<void>;
}

export interface SimulatedIndexerOptions {
  readonly store: Store;
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>;
  readonly timeoutMs?: number;
  readonly ranksMs?: number;
  /** Unix milliseconds. */
  readonly now?: () => number;
  readonly monotonic?: () => number;
}

class Killed extends Error {}

export function createSimulatedIndexer(options: SimulatedIndexerOptions): SimulatedIndexer {
  const { store, rpcUrls, timeoutMs = 5_000, ranksMs = 100, now = Date.now, monotonic = readMonotonic } = options;
  let running: (RunningIndexer & { killable: KillableStore }) | undefined;
  const replaced: Promise<void>[] = [];

  const start = () => {
    const ending = new AbortController();
    const killable = createKillableStore(store);
    const ended = runIndexer({
      config: {
        deployment: deployments.mainnet,
        rpcUrls,
        startBlocks: new Map([...rpcUrls.keys()].map((chainId) => [chainId, 0])),
        pollMs: 10,
        ranksMs,
        rpcTimeoutMs: timeoutMs,
        finalityDepths: new Map([...rpcUrls.keys()].map((chainId) => [chainId, 0])),
        bloomChecks: new Map(),
        comparesNodes: false,
      },
      store: killable.store,
      logger: pino({ level: 'silent' }),
      now,
      monotonic,
      limitOf: () => UNLIMITED,
      random: Math.random,
      fetch: globalThis.fetch,
      signal: ending.signal,
      refreshProfiles: null,
      showProgress: () => ({ update: () => undefined, end: () => undefined }),
    });
    ended.catch(() => undefined);
    running = {
      ended,
      killable,
      log: [],
      async stop() {
        ending.abort();
        await ended;
      },
    };
  };
  const current = () => {
    if (running === undefined) throw new Error('no indexer is running');
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
      const { killable, ended } = current();
      killable.killAfter(writes);
      // It must have ended by the kill, not by another error.
      const cause = await ended.catch((error: unknown) => error);
      if (!(cause instanceof Killed)) throw cause;
      // The next one need not wait for the lease to expire.
      await store.transaction((tx) => tx.remove('leases', [{ name: LEASE_NAME }]));
      start();
      return cause.message;
    },
    untilIndexed: (nodes) => untilIndexed(store, nodes, current()),
  };
}

interface KillableStore {
  readonly store: Store;
  killAfter(writes: number): void;
}

/** A store that fails every operation after some write, including lock release, as if the process had been killed. */
function createKillableStore(store: Store): KillableStore {
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
      createIndexerLock(monotonic) {
        const lock = store.createIndexerLock(monotonic);
        const alive = <T>(work: () => Promise<T>) => (left > 0 ? work() : Promise.reject(new Killed('with its lock')));
        return {
          hold: () => alive(() => lock.hold()),
          acquire: () => alive(() => lock.acquire()),
          keep: () => alive(() => lock.keep()),
          fence: (tx) => lock.fence(tx),
          // PostgreSQL releases the lock with the connection. A SQLite lease remains until it expires.
          release: () => (left > 0 || store.engine === 'postgres' ? lock.release() : Promise.resolve()),
        };
      },
    },
    killAfter(writes) {
      left = writes + 1;
    },
  };
}
