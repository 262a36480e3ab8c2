import { mkdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import threads, { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { builtUrl } from '../../commands/run-kith.ts';
import { engines } from '../../support/engines.ts';
import { numberOf, touchGraph } from '../../support/load.ts';
import { allRows, type Rows, useOwnDatabase } from '../own-database.ts';
import { queryDatabase } from '../query-database.ts';
import { BADGES, badge, badges, block, indexesOf, SCRIPT } from '../transaction-script.ts';

/** Takes longer to write than one turn of the event loop. */
const MANY = 50_000;
const TURNS = 20;

// The worker is loaded as a built file, so the store has to be the built one too.
const built: { openStore: typeof openStore } = await import(/* @vite-ignore */ builtUrl('store/open-store.js'));
const sqlite = engines.filter(({ name }) => name === 'sqlite');

const fail = (error: Error) => {
  throw error;
};
const nextTurn = () => new Promise(setImmediate);

describe.each(sqlite)('the writer thread of $name', (engine) => {
  const own = useOwnDatabase(engine);
  const pathOf = ({ url }: { url: string }) => url.slice('sqlite:'.length);
  /** The caller has to close it. */
  const openAt = (database: { url: string }, threads: boolean, onError: (error: Error) => void = fail) =>
    built.openStore({ engine: 'sqlite', path: pathOf(database) }, { threads, onError });
  const open = async (threads = true) => {
    const store = await openAt(own.database, threads);
    onTestFinished(() => store.close());
    return store;
  };
  /** Runs `work` with a writer thread and with an inline writer, each on a new database. */
  const both = async <T>(work: (store: Store) => Promise<T>): Promise<{ thread: T; inline: T }> => {
    const results: T[] = [];
    for (const threads of [true, false]) {
      const store = await openAt(await own.another(), threads);
      try {
        results.push(await work(store));
      } finally {
        await store.close();
      }
    }
    const [thread, inline] = results as [T, T];
    return { thread, inline };
  };
  const outside = () => queryDatabase(own.database, 'select address from badges order by address');

  it('returns the same results as an inline writer from every method, and writes the same rows', async () => {
    const { thread, inline } = await both(async (store) => {
      const results: Record<string, unknown> = {};
      await store.transaction(async (tx) => {
        for (const [name, call] of SCRIPT) results[name] = await call(tx);
      });
      return { results, version: numberOf(store.version.current()), rows: await allRows(store) };
    });
    expect(thread).toEqual(inline);
    // Equal results could both be empty.
    expect(thread.results).toMatchObject({
      insertNew: [badge('4'), badge('5')],
      'insertNew of known rows alone': [],
      read: [badge('3', `it's "🦊"`), badge('1', 'a', 7), badge('1', 'a', 7)],
      'read what is not there': [],
      'query after that': [badge('1', null, 7), badge('2', 'new'), badge('3', `it's "🦊"`), badge('4'), badge('6', '')],
      'read the largest number': [{ value: Number.MAX_SAFE_INTEGER }],
      'query with parameters': [block(1, 1, 'set')],
      withoutIndexes: { indexes: [], found: [{ source: 3 }, { source: 1 }] },
    });
    expect(thread.results['the indexes after that']).not.toEqual([]);
    expect(thread.version).toBe(1);
  });

  it('runs concurrent calls in the order in which they were made', async () => {
    const { thread, inline } = await both((store) =>
      store.transaction((tx) =>
        Promise.all([
          tx.insert('badges', [badge('1', 'first')]),
          badges(tx),
          tx.patch('badges', ['collection'], [badge('1', 'second')]),
          badges(tx),
          tx.remove('badges', [badge('1')]),
          badges(tx),
        ]),
      ),
    );
    expect(thread).toEqual(inline);
    expect(thread).toEqual([undefined, [badge('1', 'first')], undefined, [badge('1', 'second')], undefined, []]);
  });

  it('preserves the message and code of an error', async () => {
    const failure = (promise: Promise<unknown>) =>
      promise.then(
        () => 'no error',
        (error: Error & { code?: unknown }) => ({
          isError: error instanceof Error,
          message: error.message,
          code: error.code,
        }),
      );
    const nothing = null as unknown as number;
    const { thread, inline } = await both(async (store) => {
      await store.transaction((tx) => tx.insert('badges', [badge('1')]));
      return [
        await failure(store.transaction((tx) => tx.insert('badges', [badge('2'), badge('1')]))),
        await failure(store.transaction((tx) => tx.upsert('state', [{ key: 'logs', value: nothing }]))),
        await failure(store.transaction((tx) => tx.query((db) => db.selectFrom('nowhere' as 'logs').selectAll()))),
        await failure(store.transaction((tx) => tx.execute((db) => db.deleteFrom('nowhere' as 'logs')))),
        await failure(store.transaction((tx) => tx.read('nowhere' as 'logs', ['part'], [['']]))),
        await failure(store.transaction((tx) => tx.insertNew('badges', [badge({} as string)]))),
      ];
    });
    expect(thread).toEqual(inline);
    expect(thread[0]).toEqual({
      isError: true,
      message: 'UNIQUE constraint failed: badges.address, badges.event_id',
      code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
    });
    expect(thread).not.toContain('no error');
  });

  it('rolls back after an error of the callback or of a statement, and the next transaction works', async () => {
    const store = await open();
    await store.transaction((tx) => tx.insert('badges', [badge('1')]));
    const before = await withoutVersion(store);
    const failed = new Error('failed');
    const ofWork = store.transaction(async (tx) => {
      await tx.insert('badges', [badge('2')]);
      await tx.count({ lists: 1 });
      await tx.withoutIndexes(['logs'], async () => {
        throw failed;
      });
    });
    const ofStatement = store.transaction(async (tx) => {
      await touchGraph(tx);
      await tx.insert('badges', [badge('3'), badge('1')]);
    });
    const next = store.transaction((tx) => tx.insertNew('badges', [badge('4')]));
    await expect(ofWork).rejects.toBe(failed);
    await expect(ofStatement).rejects.toThrow('UNIQUE');
    expect(await next).toEqual([badge('4')]);
    expect(await outside()).toEqual([{ address: '1' }, { address: '4' }]);
    await store.transaction((tx) => tx.remove('badges', [badge('4')]));
    expect(await withoutVersion(store)).toEqual(before);
    expect(await store.transaction(indexesOf)).not.toEqual([]);
  });

  it('is started by the first write, so that a store that never wrote closes at once', async () => {
    const store = await openAt(own.database, true);
    const found = await store.reader.all(BADGES, {});
    expect(found).toEqual([]);
    let closed = false;
    const closing = store.close().then(() => {
      closed = true;
    });
    // A thread could not have replied yet.
    await nextTurn();
    expect(closed).toBe(true);
    await closing;
  });

  it('finishes the queued transactions before it is closed', async () => {
    const store = await openAt(own.database, true);
    const seen: string[] = [];
    const first = store.transaction(async (tx) => {
      await tx.insert('badges', [badge('1')]);
      await nextTurn();
      await tx.insert('badges', [badge('2')]);
    });
    const failed = store.transaction(async (tx) => {
      await tx.insert('badges', [badge('3'), badge('1')]);
    });
    const last = store.transaction((tx) => tx.insertNew('badges', [badge('4')]));
    first.then(() => seen.push('first'));
    failed.catch(() => seen.push('failed'));
    last.then(() => seen.push('last'));
    await store.close();
    expect(seen).toEqual(['first', 'failed', 'last']);
    expect(await outside()).toEqual([{ address: '1' }, { address: '2' }, { address: '4' }]);
  });

  it('alternates with the writer thread of another store on the same file', async () => {
    const [one, other] = [await open(), await open()];
    const seen: string[] = [];
    const turn = (store: Store, name: string) =>
      store.transaction(async (tx) => {
        seen.push(name);
        const [row] = await tx.read('state', ['key'], [['follows']]);
        await nextTurn();
        await tx.upsert('state', [{ key: 'follows', value: (row?.value ?? Number.NaN) + 1 }]);
        await nextTurn();
        seen.push(name);
      });
    const turns = Array.from({ length: TURNS }, (_, i) => [turn(one, `one ${i}`), turn(other, `other ${i}`)]);
    await Promise.all(turns.flat());
    expect(await one.transaction((tx) => tx.read('state', ['key'], [['follows']]))).toEqual([
      { key: 'follows', value: 2 * TURNS },
    ]);
    // Each start is followed by the end of the same transaction.
    const started = seen.filter((_, i) => i % 2 === 0);
    expect(started).toEqual(seen.filter((_, i) => i % 2 === 1));
    expect(new Set(started).size).toBe(2 * TURNS);
  });

  it('blocks another store while a transaction is open, but not the event loop', async () => {
    const [one, other] = [await open(), await open()];
    // Start both threads.
    for (const store of [one, other]) await store.transaction(touchGraph);
    const seen: string[] = [];
    let waiting: Promise<void> | undefined;
    await one.transaction(async (tx) => {
      waiting = other.transaction(async (second) => {
        seen.push('other');
        expect(await badges(second)).toEqual([badge('1'), badge('2')]);
      });
      await tx.insert('badges', [badge('1')]);
      await nextTurn();
      await tx.insert('badges', [badge('2')]);
      seen.push('one');
    });
    await waiting;
    expect(seen).toEqual(['one', 'other']);
  });

  it('does not block the event loop while many rows are written', async () => {
    const store = await open();
    const rows = Array.from({ length: MANY }, (_, i) => badge(String(i)));
    const hasRun = await store.transaction(async (tx) => {
      // Start the thread first, so that only the insert is measured.
      await touchGraph(tx);
      let ran = false;
      setImmediate(() => {
        ran = true;
      });
      await tx.insert('badges', rows);
      return ran;
    });
    expect(hasRun).toBe(true);
    expect(await queryDatabase(own.database, 'select count(*) as n from badges')).toEqual([{ n: MANY }]);
  });

  it('makes rows visible to readers when it commits, and not before', async () => {
    const store = await open();
    await store.transaction(async (tx) => {
      await tx.insert('badges', [badge('1')]);
      expect([await store.reader.all(BADGES, {}), numberOf(store.version.current())]).toEqual([[], 0]);
    });
    expect([await store.reader.all(BADGES, {}), numberOf(store.version.current())]).toEqual([[badge('1')], 1]);
  });

  it('is replaced when it has exited, and what it had not committed is rolled back', async () => {
    const workers: Worker[] = [];
    threads.Worker = class extends Worker {
      constructor(...options: ConstructorParameters<typeof Worker>) {
        super(...options);
        workers.push(this);
      }
    };
    syncBuiltinESMExports();
    onTestFinished(() => {
      threads.Worker = Worker;
      syncBuiltinESMExports();
    });
    const store = await open();
    await store.transaction((tx) => tx.insert('badges', [badge('1')]));
    const interrupted = store.transaction(async (tx) => {
      await tx.insert('badges', [badge('2')]);
      await workers[0]?.terminate();
      await tx.insert('badges', [badge('3')]).catch(() => undefined);
      await tx.insert('badges', [badge('4')]);
    });
    await expect(interrupted).rejects.toThrow('the transaction has been rolled back');
    await store.transaction((tx) => tx.insert('badges', [badge('5')]));
    expect(await outside()).toEqual([{ address: '1' }, { address: '5' }]);
    expect(workers).toHaveLength(2);
  });

  it('rejects transactions if the file was replaced by a folder, and the store can still be closed', async () => {
    const store = await openAt(own.database, true, () => undefined);
    await rm(pathOf(own.database));
    await mkdir(pathOf(own.database));
    const insert = () => store.transaction((tx) => tx.insert('badges', [badge('1')]));
    const replaced = { code: 'E_DATABASE_UNAVAILABLE', message: expect.stringContaining('kith.db was replaced') };
    const [first, second] = [insert(), insert()];
    await expect(first).rejects.toMatchObject(replaced);
    await expect(second).rejects.toMatchObject(replaced);
    await expect(insert()).rejects.toMatchObject(replaced);
    await store.close();
  });
});

async function withoutVersion(store: Store): Promise<Rows> {
  const { state = [], ...rows } = await allRows(store);
  return { ...rows, state: state.filter((row) => !String(row).includes('data_version')) };
}
