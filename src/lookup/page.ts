import { type RawBuilder, sql } from 'kysely';
import { type Address, parseAddress } from '../protocol/hex.ts';
import { param, rowCount } from '../store/params.ts';
import { type Columns, type RowOf, type Select, select, withQueries } from '../store/statement.ts';

/** A page of rows. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** All rows: more than there can be, and with one more still an integer on PostgreSQL. */
export const WHOLE = { limit: 2 ** 31 - 2, offset: 0, cursor: null } as const;

export const PAGE = sql`limit ${rowCount('limit')} offset ${rowCount('offset')}`;

/** The rows of a page and those before it. */
export const END = sql<number>`(cast(${rowCount('limit')} as bigint) + ${rowCount('offset')})`;

/** For a sorted subquery that returns all rows: SQLite ignores the order of one without a limit. */
export const KEEP_ORDER = sql`limit 9223372036854775807`;

export const SORTS = ['latest', 'earliest', 'followers'] as const;
export type Sort = (typeof SORTS)[number];

/** Where a page ends, in the order of its lookup. */
export type CursorKey = readonly (number | string)[];

/** A body that is made from some of its rows at a time, because making all of it may take too long. */
export interface PageBody<B> {
  readonly length: number;
  /** The body with the entries from `from` to before `to`. */
  part(from: number, to: number): B;
}

export function pageBody<R, B>(rows: readonly R[], bodyOf: (rows: readonly R[]) => B): PageBody<B> {
  return { length: rows.length, part: (from, to) => bodyOf(rows.slice(from, to)) };
}

/** The same page in another shape. */
export function mapPage<A, B>({ body, next }: Paged<A>, map: (body: A) => B): Paged<B> {
  return { body: { length: body.length, part: (from, to) => map(body.part(from, to)) }, next };
}

/** A page, and where it ends if another one follows. */
export interface Paged<B> {
  readonly body: PageBody<B>;
  readonly next: CursorKey | null;
}

/** Where a piece of a body begins or ends within the only array of an item, which is longer than one piece. */
export interface Cut {
  readonly cut: {
    /** Whether the first item continues the last one of the piece before. */
    readonly start: boolean;
    /** Whether the last item continues in the next piece. */
    readonly end: boolean;
  };
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

type Key<V = unknown> = readonly [column: RawBuilder<V>, direction: 'asc' | 'desc'];

/** Ends with the address, so that no two rows are equal. */
export type Order = readonly [Key<number>, ...Key[]];

export const ADDRESS_KEY = sql`address_key`;
export const LATEST = byGreatest(sql<number>`time`);
export const EARLIEST: Order = [
  [sql<number>`time`, 'asc'],
  [ADDRESS_KEY, 'desc'],
];

export function byGreatest(count: RawBuilder<number>): Order {
  return [
    [count, 'desc'],
    [ADDRESS_KEY, 'asc'],
  ];
}

/** The orders of edges and records. */
export function orderOf(sort: Sort, popularity: RawBuilder<number>): Order {
  return { latest: LATEST, earliest: EARLIEST, followers: byGreatest(popularity) }[sort];
}

export function orderBy(order: Order): RawBuilder<unknown> {
  const keys = order.map(([column, direction]) => sql`${column} ${sql.raw(direction)}`);
  return sql`order by ${sql.join(keys)}`;
}

/** Where a page starts. */
export type Start = 'top' | 'offset' | 'cursor';

export function startOf({ offset, cursor = null }: { offset: number; cursor?: CursorKey | null }): Start {
  if (cursor !== null) return 'cursor';
  return offset === 0 ? 'top' : 'offset';
}

interface Listing<C extends Columns> {
  readonly columns: C;
  /** The table or subquery with the keys of the order. */
  readonly rows: RawBuilder<unknown>;
  /** What is joined to a row of the page. */
  readonly joined?: RawBuilder<unknown>;
  readonly where?: RawBuilder<unknown>;
  readonly order: Order;
  /** Whether the rows are read from an index in their order. True if absent. */
  readonly isIndexed?: boolean;
}

/** Selects a page with the parameters `limit` and `offset`, after a cursor with those of `KeysetParams`. */
export function selectPage<C extends Columns>(
  { columns, rows, joined = sql``, where = sql`1 = 1`, order, isIndexed = true }: Listing<C>,
  start: Start,
): Select<RowOf<C>> {
  const page = (condition: RawBuilder<unknown>, offset: RawBuilder<unknown>) =>
    select(
      columns,
      sql`from ${rows} ${joined} where ${where} and ${condition}
        ${orderBy(order)} limit ${rowCount('limit')} offset ${offset}`,
    );
  if (start === 'cursor') {
    return page(isAfter(order, [param('after_term'), param('after_address_key')]), sql`0`);
  }
  if (start === 'top' || !isIndexed) return page(sql`1 = 1`, rowCount('offset'));
  // The first row is found by the index alone: otherwise every row before the page would be joined too.
  const keys = Object.fromEntries(order.map(([column], i) => [`key_${i}`, column]));
  const first = select(keys, sql`from ${rows} where ${where} ${orderBy(order)} limit 1 offset ${rowCount('offset')}`);
  const values = first.names.map((name) => sql`(select ${sql.ref(name)} from first)`);
  return withQueries({ first: first.query }, page(isAfter(order, values, true), sql`0`), sql`materialized`);
}

/** Whether a row comes after another one. The first comparison stands alone, so that an index can be read from there. */
export function isAfter(
  keys: readonly Key[],
  values: readonly RawBuilder<unknown>[],
  ifEqual = false,
): RawBuilder<unknown> {
  return keys.reduceRight(
    (rest, [column, direction], i) => {
      const than = sql.raw(direction === 'asc' ? '>' : '<');
      return sql`${column} ${than}= ${values[i]} and (${column} ${than} ${values[i]} or ${rest})`;
    },
    ifEqual ? sql`1 = 1` : sql`1 = 0`,
  );
}
