import { type RawBuilder, sql } from 'kysely';
import { param, rowCount } from '../store/params.ts';
import type { CursorKey, Sort } from './page.ts';

type Key = readonly [column: RawBuilder<unknown>, direction: 'asc' | 'desc'];

/** Ends with the prefix of an address. Rows that are equal in all keys are few, and sorted by the whole address. */
export type Order = readonly [...Key[], Key];

export const PREFIX = sql`prefix`;
export const LATEST = byGreatest(sql`time`);
export const EARLIEST: Order = [
  [sql`time`, 'asc'],
  [PREFIX, 'desc'],
];

export function byGreatest(count: RawBuilder<unknown>): Order {
  return [
    [count, 'desc'],
    [PREFIX, 'asc'],
  ];
}

/** The orders of edges and records. */
export function orderOf(sort: Sort, popularity: RawBuilder<unknown>): Order {
  return { latest: LATEST, earliest: EARLIEST, followers: byGreatest(popularity) }[sort];
}

export function orderBy(order: Order, address: RawBuilder<unknown>): RawBuilder<unknown> {
  const keys = withTies(order, address).map(([column, direction]) => sql`${column} ${sql.raw(direction)}`);
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
  readonly address?: RawBuilder<unknown>;
  /** The column that follows the order in an index; null if there is no such index. */
  readonly account?: RawBuilder<unknown> | null;
}

/** Selects a page with the parameters `limit` and `offset`, after a cursor with those of `KeysetParams`. */
export function selectPage(
  { columns, rows, joined = sql``, where = sql`1 = 1`, order, ...ties }: Listing,
  start: Start,
): RawBuilder<unknown> {
  const { address = sql`address`, account = sql`account` } = ties;
  const given = rowCount('offset');
  const select = (condition: RawBuilder<unknown>, offset = given) => sql`select ${columns} from ${rows} ${joined}
    where ${where} and ${condition} ${orderBy(order, address)} limit ${rowCount('limit')} offset ${offset}`;
  if (start === 'cursor') {
    const after = [param('after_term'), param('after_prefix'), param('after_address')];
    // The first condition is about the row alone, so that the account of rows before the page is not looked up.
    return select(sql`${isAfter(order, after, true)} and ${isAfter(withTies(order, address), after)}`);
  }
  if (start === 'top' || account === null) return select(sql`1 = 1`);
  // Found by the index alone: sorting by address would look up the account of every row before the page.
  const keys = withTies(order, account);
  const names = keys.map((_key, i) => sql.ref(`key_${i}`));
  const values = keys.map(([column], i) => sql`${column} as ${names[i]}`);
  const first = names.map((name) => sql`(select ${name} from first)`);
  const isEqual = order.map(([column], i) => sql`${column} = ${first[i]}`);
  // The rows equal to the first one that the index has before it: as many come before the page by address.
  const skipped = sql<number>`(select count(*) from ${rows} where ${where} and ${sql.join(isEqual, sql` and `)}
    and not (${isAfter(keys.slice(-1), first.slice(-1), true)}))`;
  return sql`with first as materialized (
      select ${sql.join(values)} from ${rows} where ${where} ${orderBy(order, account)} limit 1 offset ${given})
    ${select(isAfter(order, first, true), skipped)}`;
}

function withTies(order: Order, column: RawBuilder<unknown>): Key[] {
  return [...order, [column, order.at(-1)?.[1] ?? 'asc']];
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
