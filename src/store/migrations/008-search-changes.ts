import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { createTable, run } from './tables.ts';

/** Members are searched in the memory of each process, which follows the changes of this table. */
export async function listSearchChanges(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await run(db, [
    ...(dialect.isClustered
      ? ['drop table leaderboard_grams']
      : [
          // The extension `pg_trgm` stays: others may use it.
          'drop index if exists accounts_address_grams',
          'drop index if exists profiles_search_name',
          'drop index if exists profiles_search_name_grams',
        ]),
    'drop table search_changes',
    createTable(dialect, 'search_changes', ['sequence', 'sequence integer, account id, version integer']),
    `insert into search_changes (sequence, account, version) values (1, 0, ${randomInt(2 ** 47)})`,
  ]);
}
