import { sql } from 'kysely';
import type { Address } from '../protocol/hex.ts';
import { param } from '../store/prepare.ts';
import type { ReadBuilder, Reader } from '../store/store.ts';

/** Finds who holds a name. A source that cannot tell throws; null means that nobody does. */
export interface NameSource {
  /** `fresh` asks the source again, whatever is remembered. */
  addressOf(name: string, options: { fresh: boolean }): Promise<Address | null>;
}

/** Who holds a name as far as stored profiles tell, and when that was fetched. */
export interface Holder {
  readonly address: Address;
  readonly fresh: number;
}

/**
 * The profile that holds the name `:name`: of those that claim it, the one fetched last, then the one with the lowest
 * address. The index is in the order of both times and addresses upwards, so that the last time is looked up first.
 */
export function holderOfName(db: ReadBuilder) {
  const claims = db
    .selectFrom('profiles')
    .where('name', '=', param<string>('name'))
    // The literal lets the planner use the index, which holds profiles with a name alone.
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
