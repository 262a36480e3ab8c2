import { type RawBuilder, sql } from 'kysely';
import { param, rowCount } from '../store/params.ts';
import type { CursorKey, Sort } from './page.ts';

type Key = readonly [column: RawBuilder<unknown>, direction: 'asc' | 'desc'];

/** Ends with the prefix of an address. Rows that are equal in all keys are few, and sorted by the whole address. */
export type Order = readonly [...Key[], Key];

export const PREFIX = sql`prefix`;

/** The orders of edges and records. */
export function orderOf(sort: Sort, popularity: RawBuilder<unknown>): Order {
  switch (sort) {
    case 'latest':
      return byGreatest(sql`time`);
    case 'earliest':
      return [
        [sql`time`, 'asc'],
        [PREFIX, 'desc'],
      ];
    case 'followers':
      return byGreatest(popularity);
  }
}

export function byGreatest(count: RawBuilder<unknown>): Order {
  return [
    [count, 'desc'],
    [PREFIX, 'asc'],
  ];
}

export function orderBy(order: Order, address: RawBuilder<unknown>): RawBuilder<unknown> {
  return orderByKeys(withTies(order, address));
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
  readonly where: RawBuilder<unknown>;
  readonly order: Order;
  readonly address: RawBuilder<unknown>;
  /** The column that follows the order in an index; null if there is no such index. */
  readonly account: RawBuilder<unknown> | null;
}

/** Selects a page with the parameters `limit`, for an offset `offset`, and for a cursor those of `KeysetParams`. */
export function selectPage(listing: Listing, start: Start): RawBuilder<unknown> {
  const { columns, rows, joined = sql``, where, order, address, account } = listing;
  const select = (condition: RawBuilder<unknown>, offset: RawBuilder<unknown>) => sql`select ${columns}
    from ${rows} ${joined} where ${where} and ${condition}
    ${orderBy(order, address)} limit ${rowCount('limit')} offset ${offset}`;
  const given = rowCount('offset');
  if (start === 'cursor') {
    const after = [param('after_term'), param('after_prefix'), param('after_address')];
    // The first condition is about the row alone, so that the account of rows before the page is not looked up.
    return select(sql`${isFrom(order, after)} and ${isAfter(withTies(order, address), after)}`, given);
  }
  if (start === 'top' || account === null) return select(sql`1 = 1`, given);
  // Found by the index alone: sorting by address would look up the account of every row before the page.
  const keys = withTies(order, account);
  const names = keys.map((_key, i) => sql.ref(`key_${i}`));
  const values = keys.map(([column], i) => sql`${column} as ${names[i]}`);
  const first = names.map((name) => sql`(select ${name} from first)`);
  const isEqual = order.map(([column], i) => sql`${column} = ${first[i]}`);
  const skipped = sql`(select count(*) from ${rows} where ${where} and ${sql.join(isEqual, sql` and `)}
    and not (${isFrom(keys.slice(-1), first.slice(-1))}))`;
  return sql`with first as materialized (
      select ${sql.join(values)} from ${rows} where ${where} ${orderByKeys(keys)} limit 1 offset ${given})
    ${select(isFrom(order, first), skipped)}`;
}

function withTies(order: Order, column: RawBuilder<unknown>): Key[] {
  const [, direction] = order[order.length - 1] as Key;
  return [...order, [column, direction]];
}

function orderByKeys(keys: readonly Key[]): RawBuilder<unknown> {
  return sql`order by ${sql.join(keys.map(([column, direction]) => sql`${column} ${sql.raw(direction)}`))}`;
}

/** Whether a row comes after another one. The range of the first key can be that of an index. */
function isAfter(keys: readonly Key[], values: readonly RawBuilder<unknown>[], orEqual = ''): RawBuilder<boolean> {
  const compare = ([column, direction]: Key, i: number, equal: string) =>
    sql<boolean>`${column} ${sql.raw(`${direction === 'asc' ? '>' : '<'}${equal}`)} ${values[i]}`;
  const last = keys.length - 1;
  return keys
    .slice(0, last)
    .reduceRight(
      (rest, key, i) => sql<boolean>`${compare(key, i, '=')} and (${compare(key, i, '')} or ${rest})`,
      compare(keys[last] as Key, last, orEqual),
    );
}

function isFrom(keys: readonly Key[], values: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return isAfter(keys, values, '=');
}
