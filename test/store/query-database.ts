import Database from 'better-sqlite3';
import pg from 'pg';
import type { TestDatabase } from '../support/engines.ts';

/** Runs a query on a separate connection, which sees only committed data. */
export async function queryDatabase({ url }: Pick<TestDatabase, 'url'>, text: string): Promise<unknown[]> {
  if (url.startsWith('sqlite:')) {
    const db = new Database(url.slice('sqlite:'.length));
    try {
      const statement = db.prepare(text);
      return statement.reader ? statement.all() : [statement.run()];
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: url });
  // If the connection is terminated, the query rejects as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Records a migration of a later version. */
export async function addLaterMigration(database: TestDatabase): Promise<void> {
  await queryDatabase(database, `insert into kysely_migration (name, timestamp) values ('999-later', '2100-01-01')`);
}
