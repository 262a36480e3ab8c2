import { type Kysely, type Migration, sql } from 'kysely';
import type { Dialect } from './dialect.ts';

/** In the order in which they run. Never edit a released migration: add a new one. */
export function createMigrations(dialect: Dialect): Record<string, Migration> {
  return {
    '001-graph': { up: (db) => createGraph(db, dialect) },
    '002-wanted-profiles': { up: (db) => createWantedProfiles(db, dialect) },
    '003-clustered-followers': { up: (db) => clusterFollowers(db, dialect) },
    '004-searchable-leaderboard': { up: (db) => createSearchableLeaderboard(db, dialect) },
    '005-longer-grams': { up: (db) => emptyLeaderboard(db, dialect) },
    '006-accounts-of-lists': { up: (db) => keepAccountsOfLists(db, dialect) },
    '007-details': { up: (db) => createDetails(db, dialect) },
    '008-hidden-followers': { up: (db) => indexHiddenFollowers(db, dialect) },
    '009-popularity-by-ranking': { up: rankPopularity },
    '010-records': { up: (db) => createRecords(db, dialect) },
  };
}

async function createGraph(db: Kysely<unknown>, { types, clustered, keyDescending }: Dialect): Promise<void> {
  const { text, integer } = types;
  const statements = [
    `create table logs (
      chain_id ${integer} not null, block_number ${integer} not null, log_index ${integer} not null,
      subject ${integer} not null, part ${text} not null, block_time ${integer} not null, payload ${text} not null,
      primary key (chain_id, block_number, log_index)
    ) ${clustered}`,
    'create index logs_cell on logs (subject, part, block_number, log_index)',
    `create table subjects (id ${integer} primary key, key ${text} not null unique)`,

    `create table blocks (
      chain_id ${integer} not null, number ${integer} not null, hash ${text} not null, time ${integer} not null,
      primary key (chain_id, number)
    ) ${clustered}`,
    `create table chains (
      chain_id ${integer} primary key, block_number ${integer} not null,
      block_hash ${text} not null, block_time ${integer} not null
    )`,
    `create table cursors (
      chain_id ${integer} primary key, number ${integer} not null, hash ${text} not null, time ${integer} not null,
      head_number ${integer} not null, head_time ${integer} not null, finalized_number ${integer} not null,
      checked_at ${integer} not null
    )`,
    `create table recent_blocks (
      chain_id ${integer} not null, number ${integer} not null, hash ${text} not null, primary key (chain_id, number)
    ) ${clustered}`,
    `create table leases (name ${text} primary key, holder ${text} not null, expires_at ${integer} not null)`,
    `create table counters (name ${text} not null, label ${text} not null, value ${integer} not null,
      primary key (name, label))`,

    `create table lists (token_id ${text} primary key, owner ${text}, slot ${text}) ${clustered}`,
    `create table slots (key ${text} primary key, "user" ${text}, manager ${text}) ${clustered}`,
    `create table accounts (
      address ${text} primary key, primary_list ${text}, active_list ${text}, active_slot ${text},
      followers ${integer} not null, following ${integer} not null, mutuals ${integer} not null,
      blocks ${integer} not null, top8 ${integer} not null, popularity ${integer} not null
    ) ${clustered}`,
    // The accounts whose popularity is stale.
    'create index accounts_to_place on accounts (address) where popularity <> followers',

    `create table followers (
      target ${text} not null, time ${integer} not null, address ${text} not null,
      popularity ${integer} not null, hidden ${integer} not null, entry ${text} not null,
      primary key (target, time ${keyDescending}, address)
    ) ${clustered}`,
    ...ordersOf('followers', 'target', keyDescending),

    `create table follower_tags (
      target ${text} not null, tag ${text} not null, time ${integer} not null, address ${text} not null,
      popularity ${integer} not null, hidden ${integer} not null,
      primary key (target, tag, time ${keyDescending}, address)
    ) ${clustered}`,
    ...ordersOf('follower_tags', 'target, tag', keyDescending),

    `create table notifications (
      target ${text} not null, time ${integer} not null, chain_id ${integer} not null,
      block_number ${integer} not null, log_index ${integer} not null,
      opcode ${integer} not null, tag ${text} not null, entry ${text} not null,
      primary key (target, time, chain_id, block_number, log_index)
    ) ${clustered}`,
    `create index notifications_by_opcode on notifications
      (target, opcode, time, chain_id, block_number, log_index)`,
    `create index notifications_by_tag on notifications
      (target, tag, time, chain_id, block_number, log_index) where tag <> ''`,
    `create index notifications_by_tag_opcode on notifications
      (target, tag, opcode, time, chain_id, block_number, log_index) where tag <> ''`,

    `create table leaderboard (
      address ${text} primary key, position ${integer} not null, name ${text} not null,
      mutuals_rank ${integer} not null, followers_rank ${integer} not null, following_rank ${integer} not null,
      top8_rank ${integer} not null, blocks_rank ${integer} not null, entry ${text} not null
    ) ${clustered}`,
    'create index leaderboard_position on leaderboard (position)',

    `create table profiles (
      address ${text} primary key, name ${text} not null, avatar ${text} not null,
      fresh ${integer} not null, ens ${text} not null
    ) ${clustered}`,
    "create index profiles_name on profiles (name, fresh, address) where name <> ''",
    `create table badges (
      address ${text} not null, event_id ${text} not null, collection ${text}, checked_at ${integer} not null,
      primary key (address, event_id)
    ) ${clustered}`,
    `create table state (key ${text} primary key, value ${integer} not null) ${clustered}`,
    `insert into state select value, 0 from (${[
      'data_version',
      'graph_version',
      'ranks_graph_version',
      'ranks_made_at',
      'logs',
      'ignored_ops',
      'unfolded_logs',
      'logs_mark',
      'lists',
      'accounts',
      'follows',
      'ranked',
    ]
      .map((key) => `select '${key}' as value`)
      .join(' union all ')}) as keys`,
  ];
  await executeAll(db, statements);
}

async function createWantedProfiles(db: Kysely<unknown>, { types, clustered }: Dialect): Promise<void> {
  const { text, integer } = types;
  await executeAll(db, [
    `create table wanted_profiles (address ${text} primary key, turn ${integer} not null) ${clustered}`,
    'create index wanted_profiles_turn on wanted_profiles (turn, address)',
  ]);
}

/**
 * A clustered table is scanned backwards for the earliest followers, which needs no index. A covering index for the most
 * popular followers avoids ten row lookups per page, half of its time.
 */
async function clusterFollowers(db: Kysely<unknown>, { clustered }: Dialect): Promise<void> {
  if (clustered === '') return;
  await executeAll(db, [
    'drop index followers_earliest',
    'drop index followers_popular',
    'create index followers_popular on followers (target, popularity desc, address, hidden, entry)',
  ]);
}

/**
 * Stores the leaderboard by sort key and ranks by count, and adds the search index. All start empty and marked as stale, so
 * that the next indexer or import computes them.
 */
async function createSearchableLeaderboard(db: Kysely<unknown>, { types, clustered, search }: Dialect): Promise<void> {
  const { text, integer } = types;
  await executeAll(db, [
    'drop table leaderboard',
    `create table leaderboard (
      place ${integer} not null, address ${text} not null, name ${text} not null,
      followers ${integer} not null, following ${integer} not null, mutuals ${integer} not null,
      blocks ${integer} not null, top8 ${integer} not null, entry ${text} not null,
      primary key (place, address)
    ) ${clustered}`,
    // A covering index for lookups by address.
    `create index leaderboard_address on leaderboard (address, followers, following, mutuals, blocks, top8)`,
    `create table ranks (
      measure ${text} not null, count ${integer} not null, rank ${integer} not null, primary key (measure, count)
    ) ${clustered}`,
    ...search.create,
    "update state set value = -1 where key = 'ranks_graph_version' and value > 0",
    "update state set value = 0 where key = 'ranked'",
  ]);
}

/** The grams have changed, so the leaderboard is computed again. `board_version` is new. */
async function emptyLeaderboard(db: Kysely<unknown>, { search }: Dialect): Promise<void> {
  await executeAll(db, [
    'drop table leaderboard_grams',
    ...search.create,
    ...search.tune,
    'delete from leaderboard',
    "update state set value = -1 where key = 'ranks_graph_version' and value > 0",
    "update state set value = 0 where key = 'ranked'",
    "insert into state values ('board_version', 0)",
  ]);
}

/** Adds the account of each list, and makes the index of stale popularities a covering one. */
async function keepAccountsOfLists(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await executeAll(db, [
    `alter table lists add column account ${types.text}`,
    `update lists set account = coalesce((select "user" from slots where slots.key = lists.slot), owner)
      where owner is not null`,
    'create index lists_slot on lists (slot) where slot is not null',
    'drop index accounts_to_place',
    `create index accounts_to_place on accounts (address, popularity, followers) where popularity <> followers`,
  ]);
}

/** Adds the details of an account as one row, and a covering index for the account of a list. */
async function createDetails(db: Kysely<unknown>, { types, clustered }: Dialect): Promise<void> {
  const { text, integer } = types;
  await executeAll(db, [
    `create table details (
      address ${text} primary key, active_list ${text}, ens ${text}, followers ${integer}, following ${integer},
      mutuals ${integer}, blocks ${integer}, top8 ${integer}
    ) ${clustered}`,
    `insert into details
      select known.address, active_list, ens, l.followers, l.following, l.mutuals, l.blocks, l.top8
      from (
        select address from accounts where active_list is not null
        union select address from profiles union select address from leaderboard
      ) as known
      left join accounts on accounts.address = known.address
      left join profiles on profiles.address = known.address
      left join leaderboard as l on l.address = known.address`,
    'create index lists_account on lists (token_id, account)',
  ]);
}

/** An index to count an account's hidden followers, which reading pages from the end needs. */
async function indexHiddenFollowers(db: Kysely<unknown>, { clustered }: Dialect): Promise<void> {
  if (clustered === '') return;
  await executeAll(db, ['create index followers_hidden on followers (target) where hidden = 1']);
}

/**
 * Popularity is written by the ranking, and `blocks` counts blocks received: the graph is marked for a rebuild from its
 * logs (see `finishMigration`). The earliest followers are read backwards along the index of the latest.
 */
async function rankPopularity(db: Kysely<unknown>): Promise<void> {
  await executeAll(db, [
    'drop index accounts_to_place',
    'alter table accounts drop column popularity',
    'drop index if exists follower_tags_earliest',
    ...MARK_FOR_REBUILD,
    `delete from state where key = 'logs_mark'`,
  ]);
}

/**
 * Adds the records of all slots, and edges of every relation instead of follows alone. The graph is marked for a rebuild
 * from its logs.
 */
async function createRecords(
  db: Kysely<unknown>,
  { types, clustered, keyDescending, jsonText }: Dialect,
): Promise<void> {
  const { text, integer } = types;
  const isClustered = clustered !== '';
  await executeAll(db, [
    `create table records (
      slot ${integer} not null, time ${integer} not null, address ${text} not null,
      relation ${integer} not null, tags ${text} not null,
      primary key (slot, time ${keyDescending}, address)
    ) ${clustered}`,
    // PostgreSQL limits an index entry to 2,704 bytes, and a record may have any number of tags.
    `create index records_address on records (slot, address, relation${isClustered ? ', tags' : ''})`,
    ...(isClustered ? [] : ['create index records_latest on records (slot, time desc, address, relation)']),

    'drop table followers',
    'drop table follower_tags',
    `create table edges (
      target ${text} not null, time ${integer} not null, address ${text} not null, popularity ${integer} not null,
      hidden ${integer} not null, relation ${integer} not null, name ${text} not null, entry ${text} not null,
      primary key (target, time ${keyDescending}, address)
    ) ${clustered}`,
    ...(isClustered ? [] : ['create index edges_latest on edges (target, time desc, address, hidden, relation)']),
    // Covering on SQLite: it avoids ten row lookups per page, half of its time.
    `create index edges_popular on edges
      (target, popularity desc, address, hidden, relation${isClustered ? ', entry' : ''})`,
    // Covering for searches of an account's followers: no more than this is read of those that do not match.
    'create index edges_address on edges (target, address, relation, hidden, popularity, name, time)',
    'create index edges_recent on edges (time desc, target, address) where relation = 0',
    ...(isClustered ? ['create index edges_hidden on edges (target) where hidden = 1 and relation = 0'] : []),
    `create table edge_tags (
      target ${text} not null, tag ${text} not null, time ${integer} not null, address ${text} not null,
      popularity ${integer} not null, hidden ${integer} not null, relation ${integer} not null,
      primary key (target, tag, time ${keyDescending}, address)
    ) ${clustered}`,
    ...(isClustered
      ? []
      : ['create index edge_tags_latest on edge_tags (target, tag, time desc, address, hidden, relation)']),
    'create index edge_tags_popular on edge_tags (target, tag, popularity desc, address, hidden, relation)',

    `alter table accounts add column listed ${integer} not null default 0`,
    `alter table accounts add column minted ${integer} not null default 0`,
    'create index lists_owner on lists (owner) where owner is not null',
    'create index slots_user on slots ("user") where "user" is not null',
    'create index slots_manager on slots (manager) where manager is not null',
    `alter table profiles add column header ${text} not null default ''`,
    `update profiles set header = ${jsonText('ens', 'header')}`,
    'drop index leaderboard_address',
    'create index leaderboard_address on leaderboard (address, followers, following, mutuals, blocks, top8, name)',
    ...['followers', 'following', 'mutuals', 'blocks', 'top8'].flatMap((count) => [
      `create index leaderboard_${count} on leaderboard (${count} desc, address)`,
      `create index leaderboard_${count}_ascending on leaderboard ((${count} = 0), ${count}, address)`,
    ]),

    "insert into state values ('list_ops', 0), ('listed_accounts', 0), ('minted_accounts', 0)",
    ...MARK_FOR_REBUILD,
  ]);
}

/** See `finishMigration`. */
const LOGS = `(select value from state where key = 'logs')`;
const MARK_FOR_REBUILD = [
  `update state set value = ${LOGS} where key = 'unfolded_logs'`,
  `update state set value = -1 where key = 'ranks_graph_version' and ${LOGS} > 0`,
];

async function executeAll(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Indexes for the sort orders that the primary key does not provide. They end in `hidden` to filter without row lookups. */
function ordersOf(table: string, scope: string, keyDescending: string): string[] {
  return [
    keyDescending
      ? `create index ${table}_earliest on ${table} (${scope}, time, address, hidden)`
      : `create index ${table}_latest on ${table} (${scope}, time desc, address, hidden)`,
    `create index ${table}_popular on ${table} (${scope}, popularity desc, address, hidden)`,
  ];
}
