import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

/**
 * Stores the leaderboard by sort key and ranks by count, and adds the search index. All start empty and marked as stale, so
 * that the next indexer or import computes them.
 */
export async function createSearchableLeaderboard(
  db: Kysely<unknown>,
  { types, clustered, search }: Dialect,
): Promise<void> {
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
