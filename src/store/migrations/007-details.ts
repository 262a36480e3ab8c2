import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

/** Adds the details of an account as one row, and a covering index for the account of a list. */
export async function createDetails(db: Kysely<unknown>, { types, clustered }: Dialect): Promise<void> {
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
