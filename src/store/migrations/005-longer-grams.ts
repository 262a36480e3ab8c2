import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

/** The grams have changed, so the leaderboard is computed again. `board_version` is new. */
export async function emptyLeaderboard(db: Kysely<unknown>, { search }: Dialect): Promise<void> {
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
