import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { WRITER_LOCK } from '../../../src/store/postgres/transaction.ts';
import { engines } from '../../support/engines.ts';
import { waitFor } from '../../support/wait-for.ts';
import { MIGRATIONS, makeOldDatabase } from '../old-database.ts';
import { useOwnDatabase, withStore } from '../own-database.ts';
import { queryDatabase } from '../query-database.ts';

// SQLite has one write lock, which a migration takes like any other transaction.
describe.each(engines.filter(({ name }) => name === 'postgres'))('a migration on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createBare });
  const done = async () => (await queryDatabase(own.database, 'select name from kysely_migration')).length;

  it('waits for the write transactions in progress', async () => {
    const today = await own.another();
    await withStore(today, async () => undefined);
    await makeOldDatabase(own.database, '010-records', today);
    const writer = new pg.Client({ connectionString: own.database.url });
    // If the test fails, dropping the database ends the connection.
    writer.on('error', () => undefined);
    await writer.connect();
    await writer.query('begin');
    await writer.query('select pg_advisory_xact_lock($1)', [WRITER_LOCK]);

    const opened = own.open();
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await waitFor(async () => expect(await queryDatabase(own.database, waiting)).toHaveLength(1));
    expect(await done()).toBe(10);

    await writer.end();
    await opened;
    expect(await done()).toBe(MIGRATIONS.length);
  });
});
