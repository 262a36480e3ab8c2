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

/** Reverts migration 009: accounts have a column for popularity. */
export const UNDO_POPULARITY_BY_RANKING = [
  "delete from kysely_migration where name = '009-popularity-by-ranking'",
  'alter table accounts add column popularity bigint not null default 0',
  'create index accounts_to_place on accounts (address, popularity, followers) where popularity <> followers',
  'create index follower_tags_earliest on follower_tags (target, tag, time, address, hidden)',
];

/** Reverts the migrations from 007-details on. */
export const UNDO_DETAILS = [
  ...UNDO_POPULARITY_BY_RANKING,
  "delete from kysely_migration where name = '008-hidden-followers'",
  'drop index if exists followers_hidden',
  "delete from kysely_migration where name = '007-details'",
  'drop table details',
  'drop index lists_account',
];

/** Reverts the migrations from 006-accounts-of-lists on. */
export const UNDO_ACCOUNTS_OF_LISTS = [
  ...UNDO_DETAILS,
  "delete from kysely_migration where name = '006-accounts-of-lists'",
  'drop index lists_slot',
  'alter table lists drop column account',
];
