import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LockLostError } from '../../src/store/lease.ts';
import type { IndexerLock, Store } from '../../src/store/store.ts';
import { randomHistory } from '../model/random-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { blockEventLoop } from '../support/block-event-loop.ts';
import { dump } from '../support/dump.ts';
import { type Engine, engines } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, cleanReplay, play, type RunningIndexer, startIndexer, untilIndexed } from './harness.ts';
import { indexingEnv, startProcess } from './simulation-process.ts';

/** Lifetime of a SQLite lease that is not renewed. */
const LEASE_MS = 6_000;
const INDEXING = /"msg":"indexing"/;
const STANDING_BY = /standing by: another process holds the indexer lock/;
const LOST = /lost the indexer lock/;

describe.each(engines)('two indexers on one $name database', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });
  const locks: IndexerLock[] = [];
  let store: Store;
  let time = 1_000_000;

  beforeEach(async () => {
    store = await own.open();
  });
  afterEach(async () => {
    for (const lock of locks.splice(0)) await lock.release();
  });

  const createLock = (monotonic = () => time) => {
    const lock = store.createIndexerLock(monotonic);
    locks.push(lock);
    return lock;
  };
  const endLockConnections = () =>
    queryDatabase(
      own.database,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'kith-indexer' and datname = current_database()`,
    );
  /** Takes the lock although its holder is alive. */
  async function stealLock(): Promise<IndexerLock> {
    let later = 0;
    const other = createLock(() => (later += LEASE_MS));
    // The holder may reconnect or renew first.
    while (!(await other.hold())) if (engine.name === 'postgres') await endLockConnections();
    return other;
  }
  const readCursor = async () => (await store.transaction((tx) => tx.read('cursors', ['chain_id'], [[8453]])))[0];

  describe('and the indexer lock', () => {
    it('does not expire during a transaction that takes longer than a lease', async () => {
      const [first, second] = [createLock(), createLock()];
      expect(await first.hold()).toBe(true);
      expect(await second.hold()).toBe(false);
      await store.transaction(async (tx) => {
        await first.fence(tx);
        time += 2 * LEASE_MS;
        await first.fence(tx);
      });
      expect(await second.hold()).toBe(false);
    });

    it('is held by one indexer at a time, and passes on release', async () => {
      const [first, second] = [createLock(), createLock()];
      expect(await first.hold()).toBe(true);
      expect(await second.hold()).toBe(false);
      expect(await first.hold()).toBe(true);
      await first.release();
      expect(await second.hold()).toBe(true);
      expect(await first.hold()).toBe(false);
    });

    it('rejects writes of an indexer that has lost it', async () => {
      const first = createLock();
      await first.hold();
      const other = await stealLock();
      const write = (lock: IndexerLock) =>
        store.transaction(async (tx) => {
          await tx.upsert('counters', [{ name: 'reorgs', label: '1', value: 1 }]);
          await lock.fence(tx);
        });
      await expect(write(first)).rejects.toBeInstanceOf(LockLostError);
      expect(await queryDatabase(own.database, 'select * from counters')).toEqual([]);
      expect(await first.hold()).toBe(false);
      await write(other);
      expect(await queryDatabase(own.database, 'select * from counters')).toHaveLength(1);
    });

    const itOn = (name: Engine['name']) => (engine.name === name ? it : () => undefined);

    itOn('sqlite')('is a lease that lasts as long as it is renewed', async () => {
      const [first, second] = [createLock(), createLock()];
      for (let renewals = 0; renewals < 3; renewals++) {
        expect(await first.hold()).toBe(true);
        expect(await second.hold()).toBe(false);
        time += LEASE_MS - 1;
        expect(await second.hold()).toBe(false);
      }
      time += 1;
      expect(await second.hold()).toBe(true);
    });

    itOn('sqlite')('is not taken from a live process whose clock differs by days, in either direction', async () => {
      const day = 86_400_000;
      const [first, ahead, behind] = [createLock(), createLock(() => time + day), createLock(() => time - day)];
      for (let renewals = 0; renewals < 3; renewals++) {
        expect(await first.hold()).toBe(true);
        expect([await ahead.hold(), await behind.hold()]).toEqual([false, false]);
        time += LEASE_MS;
      }
      expect(await behind.hold()).toBe(true);
    });

    itOn('sqlite')('is acquired from a process that was killed, and not from one that renews it', async () => {
      const first = createLock();
      expect(await first.hold()).toBe(true);
      let later = 0;
      const heir = createLock(() => (later += LEASE_MS));
      expect(await heir.acquire()).toBe(true);
      await heir.release();
      const renewing = createLock();
      expect(await renewing.hold()).toBe(true);
      const acquired = createLock().acquire();
      await expect.poll(() => renewing.hold().then(() => Promise.race([acquired, null]))).toBe(false);
    });

    itOn('postgres')('is taken again by its holder after a lost connection', async () => {
      const lock = createLock();
      await lock.hold();
      await endLockConnections();
      expect(await lock.hold()).toBe(true);
      await store.transaction((tx) => lock.fence(tx));
      expect(await createLock().hold()).toBe(false);
    });

    it('is kept by its holder until another one takes it', async () => {
      const lock = createLock();
      await lock.hold();
      await lock.keep();
      await stealLock();
      await expect(lock.keep()).rejects.toBeInstanceOf(LockLostError);
    });

    itOn('postgres')('is not kept by a new connection, which may lead to another server', async () => {
      const lock = createLock();
      await lock.hold();
      await endLockConnections();
      await expect(lock.keep()).rejects.toThrow('its connection was lost');
      expect(await lock.hold()).toBe(true);
      await lock.keep();
    });

    itOn('postgres')('is kept while the event loop is blocked for longer than an answer may take', async () => {
      const lock = createLock();
      await lock.hold();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const keeping = lock.keep();
      await setImmediate();
      // The server answers meanwhile.
      blockEventLoop(500);
      vi.advanceTimersByTime(60_000);
      await keeping;
    });

    itOn('postgres')('is detected as lost even if the connection is still open', async () => {
      const lock = createLock();
      await lock.hold();
      await store.transaction((tx) => tx.upsert('leases', [{ name: 'indexer', holder: 'another', renewals: 0 }]));
      expect(await lock.hold()).toBe(false);
      // It has released the lock, and can take it again.
      expect(await lock.hold()).toBe(true);
      await store.transaction((tx) => lock.fence(tx));
    });
  });

  describe('indexing one chain', () => {
    const history = randomHistory(21, { logs: 90 });
    let node: EvmNode;
    let indexer: RunningIndexer | undefined;

    beforeEach(async () => {
      node = await startNode(8453);
      await node.install(addressesOn(8453));
      await play([node], history.slice(0, 30));
    });
    afterEach(async () => {
      await indexer?.stop();
      await node.stop();
    });

    const expectCleanReplay = async () => {
      await loadRanks(store, 0);
      expect(await dump(store)).toEqual(await cleanReplay(engine, [node]));
    };

    it('fail over: the second stands by, and takes over within seconds when the first is killed', async () => {
      const env = indexingEnv(own.database.url, [node]);
      const first = startProcess('index', env);
      await first.untilSaid(INDEXING);
      const second = startProcess('index', env);
      await second.untilSaid(STANDING_BY);
      await play([node], history.slice(30, 60));
      await untilIndexed(store, [node], first);
      expect(second.output()).not.toMatch(INDEXING);

      const killed = Date.now();
      await first.kill();
      await second.untilSaid(INDEXING);
      // The lease, and the same again for a busy machine.
      expect(Date.now() - killed).toBeLessThan(2 * LEASE_MS);
      await play([node], history.slice(60));
      await untilIndexed(store, [node], second);
      await second.stop();
      expect(await second.exit()).toBe(0);
      expect(second.output().match(STANDING_BY)).toHaveLength(1);
      await expectCleanReplay();
    });

    it('fail over at once when the first shuts down', async () => {
      const env = indexingEnv(own.database.url, [node]);
      const first = startProcess('index', env);
      await first.untilSaid(INDEXING);
      const second = startProcess('index', env);
      await second.untilSaid(STANDING_BY);
      await first.stop();
      const ended = Date.now();
      await second.untilSaid(INDEXING);
      expect(Date.now() - ended).toBeLessThan(LEASE_MS - 1_000);
      await untilIndexed(store, [node], second);
    });

    it('never write at the same time: one that has lost the lock writes nothing until it holds it again', async () => {
      const running = startIndexer(store, [node]);
      indexer = running;
      await untilIndexed(store, [node], running);
      const says = (pattern: RegExp) => expect.poll(() => running.log.join('')).toMatch(pattern);
      const other = await stealLock();
      const cursor = await readCursor();
      await play([node], history.slice(30));
      await says(LOST);
      await says(STANDING_BY);
      expect(await readCursor()).toEqual(cursor);
      await other.release();
      await untilIndexed(store, [node], running);
      await running.stop();
      await expectCleanReplay();
    });
  });
});
