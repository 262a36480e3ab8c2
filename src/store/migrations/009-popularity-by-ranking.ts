import type { Kysely } from 'kysely';
import { executeAll, MARK_FOR_REBUILD } from './statements.ts';

/**
 * Popularity is written by the ranking, and `blocks` counts blocks received: the graph is marked for a rebuild from its
 * logs (see `finishMigration`). The earliest followers are read backwards along the index of the latest.
 */
export async function rankPopularity(db: Kysely<unknown>): Promise<void> {
  await executeAll(db, [
    'drop index accounts_to_place',
    'alter table accounts drop column popularity',
    'drop index if exists follower_tags_earliest',
    ...MARK_FOR_REBUILD,
    `delete from state where key = 'logs_mark'`,
  ]);
}
