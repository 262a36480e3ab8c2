import { describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { NewerDatabaseError, OlderDatabaseError } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/open-store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { allRows, useOwnDatabase, withStore } from './own-database.ts';
import { addLaterMigration, queryDatabase } from './query-database.ts';
import { runProcesses } from './run-processes.ts';

const SCHEMA = {
  sqlite: 'select type, name, tbl_name, sql from sqlite_master order by type, name',
  postgres: `select table_name, column_name, data_type, is_nullable from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position`,
};
const MIGRATIONS = 'select name, timestamp from kysely_migration order by name';
/** What makes a database one of the versions that stored addresses in every row. */
const FORMER = [
  'create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)',
  "insert into kysely_migration values ('001-graph', '2026-01-01'), ('012-readiness', '2026-01-01')",
  'create table logs (payload text)',
];

describe.each(engines)('opening a database on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createBare });
  const schemaOf = (database: TestDatabase) => queryDatabase(database, SCHEMA[engine.name]);
  const migrationsOf = (database: TestDatabase) => queryDatabase(database, MIGRATIONS);
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

  it.each([false, true])(
    'refuses a database of a version without ids, and leaves it unchanged (mustExist: %s)',
    async (mustExist) => {
      for (const text of FORMER) await queryDatabase(own.database, text);
      const before = await schemaOf(own.database);
      const location = readConfig({ DATABASE_URL: own.database.url }).database;
      const opened = openStore(location, { onError: (error) => expect.fail(error.message), mustExist });
      await expect(opened).rejects.toThrow(OlderDatabaseError);
      await expect(opened).rejects.toMatchObject({
        code: 'E_OLDER_DATABASE',
        message: expect.stringMatching(/earlier version of Kith: index or import into a new one; "kith export logs"/),
      });
      expect(await schemaOf(own.database)).toEqual(before);
    },
  );
});

async function namesOf(rows: Promise<unknown[]>): Promise<string[]> {
  return (await rows).map((row) => (row as { name: string }).name);
}
