import { sql } from 'kysely';
import { statement } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';

/** An account that can be requested by address, name and list. */
export interface Sample {
  readonly address: string;
  readonly name: string;
  readonly list: string;
}

const best = statement<object, Sample>((db) =>
  db
    .selectFrom('leaderboard')
    .innerJoin('accounts', 'accounts.id', 'leaderboard.account')
    .innerJoin('profiles', 'profiles.address', 'accounts.address')
    .select((eb) => ['accounts.address', 'profiles.name', eb.ref('accounts.active_list').$castTo<string>().as('list')])
    .where('profiles.name', '<>', sql.lit(''))
    .where('accounts.active_list', 'is not', null)
    .orderBy('leaderboard.followers', 'desc')
    .orderBy('leaderboard.address_key')
    .limit(1),
);

/** Finds the highest-ranked account with a name and a list; null if there is none. */
export async function readSample(reader: Reader): Promise<Sample | null> {
  return (await reader.all(best, {}))[0] ?? null;
}
