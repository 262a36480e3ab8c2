import { type RawBuilder, sql } from 'kysely';
import { param, rowCount } from '../store/params.ts';
import type { CursorKey, Sort } from './page.ts';

type Key = readonly [column: RawBuilder<unknown>, direction: 'asc' | 'desc'];

/** Ends with the address, so that no two rows are equal. */
export type Order = readonly [Key, ...Key[]];

export const ADDRESS_KEY = sql`address_key`;
export const LATEST = byGreatest(sql`time`);
export const EARLIEST: Order = [
  [sql`time`, 'asc'],
  [ADDRESS_KEY, 'desc'],
];

export function byGreatest(count: RawBuilder<unknown>): Order {
  return [
    [count, 'desc'],
    [ADDRESS_KEY, 'asc'],
  ];
}

/** The orders of edges and records. */
export function orderOf(sort: Sort, popularity: RawBuilder<unknown>): Order {
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

interface Listing {
  readonly columns: RawBuilder<unknown>;
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
export function selectPage(
  { columns, rows, joined = sql``, where = sql`1 = 1`, order, isIndexed = true }: Listing,
  start: Start,
): RawBuilder<unknown> {
  const select = (condition: RawBuilder<unknown>, offset: RawBuilder<unknown>) =>
    sql`select ${columns} from ${rows} ${joined} where ${where} and ${condition}
      ${orderBy(order)} limit ${rowCount('limit')} offset ${offset}`;
  if (start === 'cursor') {
    return select(isAfter(order, [param('after_term'), param('after_address_key')]), sql`0`);
  }
  if (start === 'top' || !isIndexed) return select(sql`1 = 1`, rowCount('offset'));
  // The first row is found by the index alone: otherwise every row before the page would be joined too.
  const names = order.map((_key, i) => sql.ref(`key_${i}`));
  const values = order.map(([column], i) => sql`${column} as ${names[i]}`);
  const first = names.map((name) => sql`(select ${name} from first)`);
  return sql`with first as materialized (
      select ${sql.join(values)} from ${rows} where ${where} ${orderBy(order)} limit 1 offset ${rowCount('offset')})
    ${select(isAfter(order, first, true), sql`0`)}`;
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
