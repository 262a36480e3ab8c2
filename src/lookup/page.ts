import { type RawBuilder, sql } from 'kysely';
import { rowCount } from '../store/params.ts';

/** A page of rows. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export const PAGE = sql`limit ${rowCount('limit')} offset ${rowCount('offset')}`;

/** For a sorted subquery that returns all rows: SQLite ignores the order of one without a limit. */
export const KEEP_ORDER = sql`limit 9223372036854775807`;

export const SORTS = ['latest', 'earliest', 'followers'] as const;
export type Sort = (typeof SORTS)[number];

/**
 * The orders of edges and records. The first two terms are those of an index; rows that are equal in both are few, and
 * sorted by the address of the account `shown`.
 */
export function orderBy(sort: Sort, popularity: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (sort) {
    case 'latest':
      return sql`order by time desc, prefix, shown.address`;
    case 'earliest':
      return sql`order by time, prefix desc, shown.address desc`;
    case 'followers':
      return sql`order by ${popularity} desc, prefix, shown.address`;
  }
}
