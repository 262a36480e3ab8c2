import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll, MARK_FOR_REBUILD } from './statements.ts';

/**
 * Adds the records of all slots, and edges of every relation instead of follows alone. The graph is marked for a rebuild
 * from its logs.
 */
export async function createRecords(
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
