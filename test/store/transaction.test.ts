import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { engines } from '../support/engines.ts';
import { allRows, useOwnDatabase, withStore } from './own-database.ts';
import { runProcesses } from './run-processes.ts';
import { BADGES, badge } from './transaction-script.ts';

const PROCESSES = 3;
const TURNS = 40;

const readBadges = (store: Store) => store.reader.all(BADGES, {});
const readState = async (store: Store, key: Row<'state'>['key']) =>
  (await store.transaction((tx) => tx.read('state', ['key'], [[key]])))[0]?.value;

describe.each(engines)('a transaction on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('returns the result of its callback', async () => {
    const store = await own.open();
    expect(await store.transaction(async () => 'result')).toBe('result');
  });

  it('rolls back when its callback throws, and rejects with that error', async () => {
    const store = await own.open();
    const before = await allRows(store);
    // A code of our own must not be taken for that of a connection error.
    const failure = Object.assign(new Error('failed'), { code: 'E_FAILED' });
    const failed = store.transaction(async (tx) => {
      await tx.insertNew('badges', [badge('1')]);
      await tx.upsert('chains', [{ chain_id: 1, block_number: 1, block_hash: '0x', block_time: 1 }]);
      await tx.count({ logs: 5 });
      throw failure;
    });
    await expect(failed).rejects.toBe(failure);
    expect(await allRows(store)).toEqual(before);
  });

  it('rolls back when a statement fails, and the next transaction works', async () => {
    const store = await own.open();
    const before = await allRows(store);
    const failed = store.transaction(async (tx) => {
      await tx.insertNew('badges', [badge('1')]);
      // Violates a `not null` constraint.
      await tx.upsert('state', [{ key: 'logs', value: null as unknown as number }]);
    });
    await expect(failed).rejects.toThrow(/null/i);
    expect(await allRows(store)).toEqual(before);
    await store.transaction((tx) => tx.insertNew('badges', [badge('2')]));
    expect(await readBadges(store)).toEqual([badge('2')]);
  });

  it('runs concurrent calls in the order in which they were made, however many rows each has', async () => {
    const store = await own.open();
    const many = Array.from({ length: 6_000 }, (_, i) => badge(String(i)));
    const replacement = badge('5999', 'new');
    await store.transaction(async (tx) => {
      await tx.insert('badges', many);
      await Promise.all([tx.remove('badges', many), tx.upsert('badges', [replacement])]);
    });
    expect(await readBadges(store)).toEqual([replacement]);
  });

  it('runs although the transaction queued before it has failed', async () => {
    const store = await own.open();
    const work = Array.from({ length: 6 }, (_, i) =>
      store.transaction(async (tx) => {
        await tx.insertNew('badges', [badge(String(i))]);
        if (i % 2 === 1) throw new Error('odd');
      }),
    );
    const settled = await Promise.allSettled(work);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect(await readBadges(store)).toEqual([badge('0'), badge('2'), badge('4')]);
  });

  it('is invisible to readers and other stores until it commits', async () => {
    const store = await own.open();
    const other = await own.open();
    await store.transaction(async (tx) => {
      await tx.insertNew('badges', [badge('1')]);
      expect(await tx.read('badges', ['address'], [['1']])).toEqual([badge('1')]);
      expect(await readBadges(store)).toEqual([]);
      expect(await readBadges(other)).toEqual([]);
    });
    expect(await readBadges(store)).toEqual([badge('1')]);
    expect(await readBadges(other)).toEqual([badge('1')]);
  });

  it('waits for the transactions that the same store started before it', async () => {
    const store = await own.open();
    const turns = Array.from({ length: TURNS }, () =>
      store.transaction(async (tx) => {
        const [row] = await tx.read('state', ['key'], [['follows']]);
        await tx.upsert('state', [{ key: 'follows', value: (row?.value ?? 0) + 1 }]);
      }),
    );
    await Promise.all(turns);
    expect(await readState(store, 'follows')).toBe(TURNS);
  });

  it('loses no update when several processes write at the same time', async () => {
    await withStore(own.database, async () => undefined);
    const outcomes = await runProcesses(
      own.database,
      PROCESSES,
      `async (store) => {
        for (let turn = 0; turn < ${TURNS}; turn++) {
          await store.transaction(async (tx) => {
            const [row] = await tx.read('state', ['key'], [['follows']]);
            await new Promise(setImmediate);
            await tx.upsert('state', [{ key: 'follows', value: row.value + 1 }]);
            await tx.insertNew('badges', [{ address: process.pid + '/' + turn, event_id: '1', collection: null, checked_at: 0 }]);
            await tx.count({ lists: 1 });
          });
        }
      }`,
    );
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array(PROCESSES).fill({ code: 0, stderr: '' }),
    );
    const store = await own.open();
    const sums = [await readState(store, 'follows'), await readState(store, 'lists'), (await readBadges(store)).length];
    expect(sums).toEqual(Array(3).fill(PROCESSES * TURNS));
  });

  it('is rolled back when its process is killed', async () => {
    await withStore(own.database, async () => undefined);
    const [outcome] = await runProcesses(
      own.database,
      1,
      `(store) => store.transaction(async (tx) => {
        await tx.insertNew('badges', [{ address: '1', event_id: '1', collection: null, checked_at: 0 }]);
        process.kill(process.pid, 'SIGKILL');
        await new Promise(setImmediate);
      })`,
    );
    expect(outcome?.code).toBeNull();
    const store = await own.open();
    expect(await readBadges(store)).toEqual([]);
    expect(await readState(store, 'data_version')).toBe(0);
  });
});

describe.each(engines.filter(({ name }) => name === 'sqlite'))(
  'a transaction that $name has rolled back by itself',
  (engine) => {
    const own = useOwnDatabase({ create: engine.createOwn });

    it('rejects later statements instead of running them in autocommit mode', async () => {
      const store = await own.open();
      const failed = store.transaction(async (tx) => {
        await tx.query(() => sql`rollback`);
        await tx.upsert('badges', [badge('1')]);
      });
      await expect(failed).rejects.toThrow('has been rolled back');
      expect(await readBadges(store)).toEqual([]);
    });
  },
);
