import { sql } from 'kysely';
import { type Address, parseAddress } from '../protocol/hex.ts';
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

/** Where a page ends, in the order of its lookup. */
export type CursorKey = readonly (number | string)[];

/** A page, and where it ends if another one follows. */
export interface Paged<B> {
  readonly body: B;
  readonly next: CursorKey | null;
}

export function isWhole(value: unknown, max = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
}

/** The last entry of a page of edges or records: the first term of the order, and the address. */
export type EdgeKey = readonly [term: number, address: Address];

export function parseEdgeKey([term, address, ...rest]: readonly unknown[]): EdgeKey | undefined {
  const parsed = parseAddress(address);
  return isWhole(term) && parsed !== null && rest.length === 0 ? [term, parsed] : undefined;
}

export interface KeysetParams extends Page {
  readonly after_term: number;
  readonly after_address: string;
  /** The same as a column of addresses holds it. */
  readonly after_address_key: Buffer;
}

const MAX_COUNT = 2 ** 31 - 1;

/** The parameters of a page that begins after `key`. */
export function keysetParams({ limit, offset }: Page, sort: Sort, key: EdgeKey | null): KeysetParams {
  const [term, address] = key ?? [0, ''];
  return {
    // One more than the page has, to know whether another page follows.
    limit: limit + 1,
    offset,
    // A count has 4 bytes on PostgreSQL, and a forged cursor may have more.
    after_term: sort === 'followers' ? Math.min(term, MAX_COUNT) : term,
    after_address: address,
    after_address_key: Buffer.from(address.slice(2), 'hex'),
  };
}

/** The rows of a page, and the key of the last one if there are more. */
export function splitPage<R>(
  rows: readonly R[],
  limit: number,
  keyOf: (row: R) => CursorKey,
): { shown: readonly R[]; next: CursorKey | null } {
  const last = rows[limit - 1];
  return rows.length > limit && last !== undefined
    ? { shown: rows.slice(0, limit), next: keyOf(last) }
    : { shown: rows, next: null };
}
