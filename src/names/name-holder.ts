import { sql } from 'kysely';
import type { Address } from '../protocol/hex.ts';
import type { UnixMs } from '../protocol/unix-time.ts';
import { param } from '../store/prepare.ts';
import type { ReadBuilder, Reader } from '../store/store.ts';

/** The account whose stored profile has a name as its primary name. */
export interface Holder {
  readonly address: Address;
  readonly fresh: UnixMs;
}

/**
 * Selects the profile that holds the name `:name`. If several claim it, the most recently fetched one wins, then the
 * lowest address. The index ascends by both columns, so the maximum of `fresh` is looked up first.
 */
export function holderOfName(db: ReadBuilder) {
  const claims = db
    .selectFrom('profiles')
    .where('name', '=', param<string>('name'))
    // A literal, so that the planner can use the partial index on profiles that have a name.
    .where('name', '<>', sql.lit(''));
  return claims
    .where('fresh', '=', (eb) => claims.select(eb.fn.max('fresh').as('last')))
    .orderBy('address')
    .limit(sql.lit(1));
}

export function createHolderLookup(reader: Reader): (name: string) => Promise<Holder | null> {
  const holders = reader.prepare<{ name: string }, Holder>((db) =>
    holderOfName(db).select((eb) => [eb.ref('address').$castTo<Address>().as('address'), 'fresh']),
  );
  return async (name) => (await holders({ name }))[0] ?? null;
}
