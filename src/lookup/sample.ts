import { sql } from 'kysely';
import type { Reader } from '../store/store.ts';

/** An account that can be requested by address, name and list. */
export interface Sample {
  readonly address: string;
  readonly name: string;
  readonly list: string;
}

/** Finds the highest-ranked account with a name and a list; null if there is none. */
export function createSampleLookup(reader: Reader): () => Promise<Sample | null> {
  const best = reader.prepare<object, Sample>((db) =>
    db
      .selectFrom('leaderboard')
      .innerJoin('accounts', 'accounts.address', 'leaderboard.address')
      .select((eb) => [
        'leaderboard.address',
        'leaderboard.name',
        eb.ref('accounts.active_list').$castTo<string>().as('list'),
      ])
      .where('leaderboard.name', '<>', sql.lit(''))
      .where('accounts.active_list', 'is not', null)
      .orderBy('leaderboard.place')
      .orderBy('leaderboard.address')
      .limit(1),
  );
  return async () => (await best({}))[0] ?? null;
}
