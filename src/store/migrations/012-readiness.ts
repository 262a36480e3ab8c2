import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

/**
 * Which chains are indexed at present, when all of them had been read for the first time, and whether the data is that
 * of a demo. A database that was indexed before counts as read.
 */
export async function createReadiness(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await executeAll(db, [
    `alter table indexed_contracts add column is_indexed ${types.integer} not null default 1`,
    `insert into state (key, value) select 'loaded_at', coalesce(max(checked_at), 0) from cursors`,
    `insert into state (key, value) values ('is_demo', 0)`,
  ]);
}
