import { type SelectQueryBuilder, sql } from 'kysely';

/** A sort key and the order of the addresses that share it. */
export interface Order {
  readonly key: 'time' | 'popularity';
  readonly direction: 'asc' | 'desc';
  readonly ties: 'asc' | 'desc';
}

export function inOrder<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { key, direction, ties }: Order,
): SelectQueryBuilder<DB, TB, O> {
  return query.orderBy(sql.ref(key), direction).orderBy(sql.ref('address'), ties);
}
