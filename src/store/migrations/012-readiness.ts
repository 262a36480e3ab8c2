import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

/** Logs were imported, or all indexed chains were read up to their last final block. */
const IS_LOADED = `(exists (select 1 from logs) or exists (select 1 from cursors))
  and not exists (select 1 from cursors where number < finalized_number)`;
/** Demo graphs were not marked before. No other profile has such a picture, and a demo has no cursors. */
const IS_DEMO = `exists (select 1 from profiles where avatar like 'https://avatars.example/%')
  and not exists (select 1 from cursors)`;

/** Which chains are indexed at present, whether the graph was complete once, and whether it is a demo. */
export async function createReadiness(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await executeAll(db, [
    `alter table indexed_contracts add column is_indexed ${types.integer} not null default 1`,
    `insert into state (key, value) values ('is_loaded', case when ${IS_LOADED} then 1 else 0 end)`,
    `insert into state (key, value) values ('is_demo', case when ${IS_DEMO} then 1 else 0 end)`,
  ]);
}
