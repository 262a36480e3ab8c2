import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

/** Adds the account of each list, and makes the index of stale popularities a covering one. */
export async function keepAccountsOfLists(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await executeAll(db, [
    `alter table lists add column account ${types.text}`,
    `update lists set account = coalesce((select "user" from slots where slots.key = lists.slot), owner)
      where owner is not null`,
    'create index lists_slot on lists (slot) where slot is not null',
    'drop index accounts_to_place',
    `create index accounts_to_place on accounts (address, popularity, followers) where popularity <> followers`,
  ]);
}
