import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { postgresDialect } from '../../../src/store/dialect.ts';
import { NewerDatabaseError } from '../../../src/store/migrate.ts';
import { createMigrations } from '../../../src/store/migrations/migrations.ts';
import { WRITER_LOCK } from '../../../src/store/postgres/transaction.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useOwnDatabase } from '../own-database.ts';
import { addLaterMigration, queryDatabase } from '../query-database.ts';

// SQLite has one write lock, which a migration takes like any other transaction.
describe.each(engines.filter(({ name }) => name === 'postgres'))('a migration on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createBare });
  const waiting = `from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;

  /** A migration that waits for a write transaction. */
  async function startWaiting() {
    const writer = new pg.Client({ connectionString: own.database.url });
    // If the test fails, dropping the database ends the connection.
    writer.on('error', () => undefined);
    await writer.connect();
    await writer.query('begin');
    await writer.query('select pg_advisory_xact_lock($1)', [WRITER_LOCK]);
    const opened = own.open();
    // Awaited by the test, but maybe after it was rejected.
    opened.catch(() => undefined);
    await waitFor(async () => expect(await queryDatabase(own.database, `select 1 ${waiting}`)).toHaveLength(1));
    return { writer, opened };
  }

  it('waits for the write transactions in progress', async () => {
    const { writer, opened } = await startWaiting();
    expect(await queryDatabase(own.database, `select 1 from pg_tables where schemaname = 'public'`)).toEqual([]);
    await writer.end();
    await opened;
    const done = await queryDatabase(own.database, 'select name from kysely_migration');
    expect(done).toHaveLength(Object.keys(createMigrations(postgresDialect)).length);
  });

  it('is refused if a later version has migrated the database during the wait', async () => {
    const { writer, opened } = await startWaiting();
    await queryDatabase(own.database, 'create table kysely_migration (name text primary key, timestamp text not null)');
    await addLaterMigration(own.database);
    await writer.end();
    await expect(opened).rejects.toThrow(NewerDatabaseError);
  });

  it('fails as unavailable if its connection is lost during the wait', async () => {
    const { writer, opened } = await startWaiting();
    await queryDatabase(own.database, `select pg_terminate_backend(pid) ${waiting}`);
    await expect(opened).rejects.toThrow(StoreUnavailableError);
    await writer.end();
  });
});
