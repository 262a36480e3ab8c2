import { sql } from 'kysely';
import { param } from './params.ts';
import type { ReadBuilder } from './query-builder.ts';

/**
 * The profile that holds the name `:name`: of those that claim it, the one fetched last, then the one with the lowest
 * address. The index ascends by time and address, so the latest time is looked up first.
 */
export function holderOfName(db: ReadBuilder) {
  const claims = db
    .selectFrom('profiles')
    .where('name', '=', param<string>('name'))
    // The literal lets the planner use the partial index on profiles with a name.
    .where('name', '<>', sql.lit(''));
  return claims
    .where('fresh', '=', (eb) => claims.select(eb.fn.max('fresh').as('last')))
    .orderBy('address')
    .limit(sql.lit(1));
}
