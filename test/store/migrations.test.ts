import { describe, expect, it, vi } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { finishMigration } from '../../src/ingest/rebuild/finish-migration.ts';
import { parseProfile } from '../../src/names/profile.ts';
import { writeProfiles } from '../../src/names/write-profiles.ts';
import { NewerDatabaseError } from '../../src/store/migrate.ts';
import type { Store } from '../../src/store/store.ts';

import { listMetadata, transfer } from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, CAT, follow, logsOf, tag } from '../model/small-history.ts';
import { dump } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { makeOldDatabase } from './old-database.ts';
import { allRows, useOwnDatabase, withStore } from './own-database.ts';
import {
  addLaterMigration,
  queryDatabase,
  UNDO_ACCOUNTS_OF_LISTS,
  UNDO_DETAILS,
  UNDO_POPULARITY_BY_RANKING,
} from './query-database.ts';
import { runProcesses } from './run-processes.ts';

const SCHEMA = {
  sqlite: 'select type, name, tbl_name, sql from sqlite_master order by type, name',
  postgres: `select table_name, column_name, data_type, is_nullable from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position`,
};
const DEMO = { accounts: 60, seed: 3, now: 1_790_000_000 };
const MIGRATIONS = 'select name, timestamp from kysely_migration order by name';

describe.each(engines)('opening a database on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createBare });
  const schemaOf = (database: TestDatabase) => queryDatabase(database, SCHEMA[engine.name]);
  const migrationsOf = (database: TestDatabase) => queryDatabase(database, MIGRATIONS);
  const stateOf = async (key: string) => {
    const [row] = await queryDatabase(own.database, `select value from state where key = '${key}'`);
    return Number((row as { value: unknown }).value);
  };
  const openAndClose = () => withStore(own.database, async () => undefined);

  it('migrates an empty database once when several processes open it at the same time, and all of them can write', async () => {
    const outcomes = await runProcesses(own.database, 4, '(store) => store.transaction((tx) => tx.count({ logs: 1 }))');
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(4).fill({ code: 0, stderr: '' }));
    expect(await queryDatabase(own.database, `select value from state where key = 'logs'`)).toMatchObject([
      { value: expect.toSatisfy((value: unknown) => Number(value) === 4) },
    ]);
    const other = await own.another();
    await withStore(other, async () => undefined);
    expect(await namesOf(migrationsOf(own.database))).toEqual(await namesOf(migrationsOf(other)));
    expect(await schemaOf(own.database)).toEqual(await schemaOf(other));
  });

  it('changes nothing in a database that is up to date', async () => {
    await openAndClose();
    const before = [
      await schemaOf(own.database),
      await migrationsOf(own.database),
      await withStore(own.database, allRows),
    ];
    await openAndClose();
    const after = [
      await schemaOf(own.database),
      await migrationsOf(own.database),
      await withStore(own.database, allRows),
    ];
    expect(after).toEqual(before);
  });

  it('refuses a database that a later version has migrated, with the reason, and leaves it unchanged', async () => {
    await openAndClose();
    await addLaterMigration(own.database);
    const before = [await schemaOf(own.database), await migrationsOf(own.database)];
    const opened = own.open();
    await expect(opened).rejects.toThrow(NewerDatabaseError);
    await expect(opened).rejects.toThrow(
      /newer than this program: .*999-later.*run the version that made it, or a later/,
    );
    expect([await schemaOf(own.database), await migrationsOf(own.database)]).toEqual(before);
  });

  it('refuses a database that only a later version has migrated before it creates any table', async () => {
    await openAndClose();
    await addLaterMigration(own.database);
    await queryDatabase(own.database, `delete from kysely_migration where name <> '999-later'`);
    const before = await schemaOf(own.database);
    await expect(own.open()).rejects.toThrow(NewerDatabaseError);
    expect(await schemaOf(own.database)).toEqual(before);
  });

  it('begins no write transaction once a later version has migrated the database', async () => {
    const store = await own.open();
    await addLaterMigration(own.database);
    const work = vi.fn();
    await expect(store.transaction(work)).rejects.toThrow(NewerDatabaseError);
    expect(work).not.toHaveBeenCalled();
  });

  it.each([
    ['was read up to its last final block', 100, 1],
    ['was in the middle of its first load', 99, 0],
  ])('takes the graph of a chain that %s as complete or not', async (_, number, loaded) => {
    const today = await own.another();
    await withStore(today, async (store) => {
      await loadLogs(store, logsOf(annsList));
      const heads = { head_number: 120, head_time: 1, finalized_number: 100, checked_at: 1 };
      await store.transaction((tx) =>
        tx.upsert('cursors', [{ chain_id: 10, number, hash: '0x01', time: 1, ...heads }]),
      );
    });
    await makeOldDatabase(own.database, '011-chain-states', today);
    await openAndClose();
    expect(await stateOf('is_loaded')).toBe(loaded);
  });

  it.each([
    ['takes a graph of imported logs as complete', annsList, 1],
    ['does not take a graph without logs as complete', [], 0],
  ])('%s', async (_, history, loaded) => {
    const today = await own.another();
    await withStore(today, (store) => loadLogs(store, logsOf(history)));
    await makeOldDatabase(own.database, '011-chain-states', today);
    await openAndClose();
    expect(await stateOf('is_loaded')).toBe(loaded);
  });

  it.each([
    ['a demo graph', (store: Store) => loadDemo(store, DEMO, () => undefined), 1],
    ['other data', (store: Store) => loadLogs(store, logsOf(annsList)), 0],
  ])('recognises by its pictures whether an earlier database has %s', async (_, load, isDemo) => {
    const today = await own.another();
    await withStore(today, async (store) => void (await load(store)));
    await makeOldDatabase(own.database, '011-chain-states', today);
    await openAndClose();
    expect(await stateOf('is_demo')).toBe(isDemo);
  });

  it('fills in the account of each list when it migrates a database without this column', async () => {
    const history = [
      ...annsList,
      listMetadata(ANNS, 'user', BOB),
      transfer(ZERO_ADDRESS, CAT, 7n),
      ...bobsList,
      transfer(BOB, ZERO_ADDRESS, 2n),
    ];
    await withStore(own.database, (store) => loadLogs(store, logsOf(history)));
    for (const text of UNDO_ACCOUNTS_OF_LISTS) await queryDatabase(own.database, text);
    await openAndClose();
    expect(await queryDatabase(own.database, 'select token_id, account from lists order by token_id')).toEqual([
      { token_id: '0', account: BOB },
      { token_id: '2', account: null },
      { token_id: '7', account: CAT },
    ]);
  });

  it('fills the details table when it migrates a database without it', async () => {
    const details = () => withStore(own.database, async (store) => (await dump(store)).details);
    await withStore(own.database, async (store) => {
      await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
      await loadRanks(store, 1_000);
      await store.transaction((tx) => writeProfiles(tx, [parseProfile({ address: CAT, name: 'cat.eth', fresh: 1 })]));
    });
    const before = await details();
    for (const text of UNDO_DETAILS) await queryDatabase(own.database, text);
    expect(await details()).toEqual(before);
    expect(before?.map((row) => /0x\w+/.exec(String(row))?.[0]).sort()).toEqual([ANN, BOB, CAT].sort());
  });

  it('rebuilds the graph and the ranks of a database from before migration 009', async () => {
    const history = [...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, ANN), follow(ANNS, CAT)];
    await withStore(own.database, async (store) => {
      await loadLogs(store, logsOf([...history, tag(ANNS, CAT, 'block')]));
      await loadRanks(store, 1_000);
    });
    const before = await withStore(own.database, dump);
    const columns = (await schemaOf(own.database)).filter((row) => /accounts|edge_tags/.test(JSON.stringify(row)));
    for (const text of [
      ...UNDO_POPULARITY_BY_RANKING,
      `update accounts set popularity = followers + 1, blocks = case when address = '${ANN}' then 1 else 0 end`,
      `delete from accounts where address = '${CAT}'`,
    ]) {
      await queryDatabase(own.database, text);
    }
    await withStore(own.database, async (store) => {
      await finishMigration(store, 2_000);
      expect(await dump(store)).toEqual(before);
    });
    expect(await schemaOf(own.database)).toEqual(expect.arrayContaining(columns));
    expect(before.accounts?.filter((row) => String(row).includes('["blocks",1]'))).toEqual([
      expect.stringContaining(CAT),
    ]);
  });

  it('does not mark an empty database of an earlier version for a rebuild', async () => {
    await openAndClose();
    for (const text of UNDO_POPULARITY_BY_RANKING) await queryDatabase(own.database, text);
    await openAndClose();
    const marks = "select key, value from state where key in ('ranks_graph_version', 'unfolded_logs') order by key";
    expect((await queryDatabase(own.database, marks)).map((row) => Number((row as { value: number }).value))).toEqual([
      0, 0,
    ]);
  });

  it('rolls back all tables when a migration fails, and migrates once the cause is gone', async () => {
    await queryDatabase(own.database, 'create table badges (unrelated text)');
    await expect(own.open()).rejects.toThrow(/badges.*already exists/);
    for (const table of ['logs', 'accounts', 'edges']) {
      await expect(queryDatabase(own.database, `select * from ${table}`)).rejects.toThrow(table);
    }
    await queryDatabase(own.database, 'drop table badges');
    await expect(withStore(own.database, allRows)).resolves.toMatchObject({ logs: [] });
  });
});

async function namesOf(rows: Promise<unknown[]>): Promise<string[]> {
  return (await rows).map((row) => (row as { name: string }).name);
}
