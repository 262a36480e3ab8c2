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

/** Reverts the migrations from 011-chain-states on. */
const UNDO_CHAIN_STATES = [
  "delete from kysely_migration where name = '012-readiness'",
  "delete from state where key in ('is_loaded', 'is_demo')",
  "delete from kysely_migration where name = '011-chain-states'",
  'drop table indexed_contracts',
  'drop table chain_faults',
];

/** Reverts the migrations from 010-records on: only follows are stored, by target. The rows are lost, as the migration rebuilds them. */
const UNDO_RECORDS = [
  ...UNDO_CHAIN_STATES,
  "delete from kysely_migration where name = '010-records'",
  'drop table records',
  'drop table edges',
  'drop table edge_tags',
  `create table followers (target text not null, time bigint not null, address text not null,
    popularity bigint not null, hidden bigint not null, entry text not null)`,
  'create index followers_popular on followers (target, popularity desc, address, hidden)',
  `create table follower_tags (target text not null, tag text not null, time bigint not null, address text not null,
    popularity bigint not null, hidden bigint not null)`,
  'alter table accounts drop column listed',
  'alter table accounts drop column minted',
  'drop index lists_owner',
  'drop index slots_user',
  'drop index slots_manager',
  'alter table profiles drop column header',
  ...['followers', 'following', 'mutuals', 'blocks', 'top8'].map((count) => `drop index leaderboard_${count}`),
  ...['followers', 'following', 'mutuals', 'blocks', 'top8'].map(
    (count) => `drop index leaderboard_${count}_ascending`,
  ),
  "delete from state where key in ('list_ops', 'listed_accounts', 'minted_accounts')",
];

/** Reverts the migrations from 009-popularity-by-ranking on: accounts have a column for popularity. */
export const UNDO_POPULARITY_BY_RANKING = [
  ...UNDO_RECORDS,
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
