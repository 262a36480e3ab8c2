import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { engines } from '../support/engines.ts';
import { numberOf, touchGraph } from '../support/load.ts';
import { waitFor } from '../support/wait-for.ts';
import { useOwnDatabase } from './own-database.ts';
import { queryDatabase } from './query-database.ts';
import { runProcesses } from './run-processes.ts';
import { BADGES, badge, block } from './transaction-script.ts';

const raise = (store: Store) => store.transaction(touchGraph);
/** PostgreSQL notifies asynchronously. Waiting for the next version shows that no other one was notified before it. */
const untilVersion = (store: Store, version: number) =>
  waitFor(() => expect(numberOf(store.version.current())).toBe(version));

describe.each(engines)('the data version on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('is 0 in an empty database', async () => {
    const store = await own.open();
    expect(numberOf(store.version.current())).toBe(0);
  });

  it('is the stored version right after a store is opened', async () => {
    const store = await own.open();
    await raise(store);
    await raise(store);
    const other = await own.open();
    expect(numberOf(other.version.current())).toBe(2);
  });

  it('rises in the store that raised it and in every other open store', async () => {
    const stores = [await own.open(), await own.open(), await own.open()] as const;
    await raise(stores[1]);
    await Promise.all(stores.map((store) => untilVersion(store, 1)));
    await raise(stores[2]);
    await Promise.all(stores.map((store) => untilVersion(store, 2)));
  });

  it('is known as soon as a commit of this process has ended', async () => {
    const store = await own.open();
    for (let number = 1; number <= 50; number++) {
      await raise(store);
      expect(numberOf(store.version.current())).toBe(number);
    }
  });

  it('is another one when the database has lost commits and reaches the same number again', async () => {
    const store = await own.open();
    const other = await own.open();
    await raise(other);
    await untilVersion(store, 1);
    const before = store.version.current()?.graph;
    await queryDatabase(own.database, `update state set value = 0 where key = 'data_version'`);
    await raise(other);
    await waitFor(() => {
      expect(numberOf(store.version.current())).toBe(1);
      expect(store.version.current()?.graph).not.toBe(before);
    });
  });

  it('rises when another process raises it', async () => {
    const store = await own.open();
    await runProcesses(own.database, 1, '(store) => store.transaction((tx) => tx.count({ graph_version: 1 }))');
    await untilVersion(store, 1);
  });

  it('stays the same after a commit that changes no answer', async () => {
    const store = await own.open();
    const other = await own.open();
    const seen = new Set<number | null>();
    await store.transaction((tx) => tx.insertNew('blocks', [block(1, 1)]));
    seen.add(numberOf(other.version.current()));
    await raise(store);
    await waitFor(() => {
      seen.add(numberOf(other.version.current()));
      expect(seen).toContain(1);
    });
    expect([...seen]).toEqual([0, 1]);
  });

  it('does not rise before the commit that raises it, nor after a rollback', async () => {
    const store = await own.open();
    const other = await own.open();
    const failed = store.transaction(async (tx) => {
      await touchGraph(tx);
      expect(numberOf(other.version.current())).toBe(0);
      throw new Error('failed');
    });
    await expect(failed).rejects.toThrow('failed');
    expect(numberOf(other.version.current())).toBe(0);
    await raise(store);
    await untilVersion(other, 1);
  });

  it('is visible only together with the rows of its commit', async () => {
    const store = await own.open();
    const other = await own.open();
    for (let version = 1; version <= 20; version++) {
      await store.transaction((tx) => tx.insertNew('badges', [badge(String(version))]));
      await untilVersion(other, version);
      expect(await other.reader.all(BADGES, {})).toHaveLength(version);
    }
  });
});

describe.each(engines.filter(({ name }) => name === 'postgres'))('the data version on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('is unknown while the listening connection is down, and correct after the reconnect', async () => {
    const errors: Error[] = [];
    const { url } = own.database;
    const store = await openStore({ engine: 'postgres', url, poolSize: 2 }, { onError: (error) => errors.push(error) });
    onTestFinished(() => store.close());
    await raise(store);
    await untilVersion(store, 1);
    await queryDatabase(
      own.database,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'kith%' and datname = current_database()`,
    );
    await waitFor(() => expect(store.version.current()).toBeNull());
    await queryDatabase(own.database, `update state set value = 5 where key = 'data_version'`);
    await waitFor(() => expect(numberOf(store.version.current())).toBe(5));
    expect(errors).not.toEqual([]);
  });
});
