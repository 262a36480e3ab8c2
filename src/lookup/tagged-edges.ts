import { type AliasableExpression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Dialect } from '../store/dialect.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { ReadBuilder } from '../store/store.ts';
import type { BuildValue } from './account-ref.ts';
import { inOrder, isIn, type Order, type PageShape } from './edges-page.ts';
import { selectEntries } from './entries.ts';

/** Requests with more tags than this are rare: one statement takes any number of them, and sorts. */
export const MAX_TAG_RANGES = 8;
const tagName = (range: number) => `tag${range}`;

/** The number of index ranges that a statement for these tags merges; `MAX_TAG_RANGES + 1` means more than that. */
export function countTagRanges(tags: readonly string[]): number {
  return Math.min(new Set(tags).size, MAX_TAG_RANGES + 1);
}

export function tagParameters(tags: readonly string[]): Record<string, string> {
  const distinct = [...new Set(tags)];
  if (distinct.length > MAX_TAG_RANGES) return { tags: JSON.stringify(distinct) };
  return Object.fromEntries(distinct.map((tag, range) => [tagName(range), tag]));
}

/** Identifies one of the edges to an account in one of the orders. */
type Key = Readonly<Record<Order['key'] | 'address', string | number>>;

/**
 * The edges that have at least one of the tags. Every tag has its range of an index, in the order of the page:
 * the ranges are merged, duplicates dropped, and only the entries of the page are looked up.
 */
export function taggedEdges(dialect: Dialect, shape: PageShape, tagRanges: number): BuildValue {
  const { order, edges, withEns } = shape;
  return (db, account) => {
    const tagged = db
      .selectFrom('edge_tags')
      .select([order.key, 'address'])
      .where('target', '=', account)
      .where(isIn(edges))
      .$if(tagRanges > MAX_TAG_RANGES, (query) => query.distinct())
      .$castTo<Key>();
    const ranges = tagConditions(dialect, tagRanges).map((hasTag) => tagged.where(hasTag));
    return selectEntries(
      db.selectFrom(mergedPage(db, dialect, order, ranges).as('keys')).select((eb) => [
        eb.ref('keys.address').$castTo<string>().as('address'),
        eb
          .selectFrom('edges')
          .select('entry')
          .where('target', '=', account)
          .whereRef(`edges.${order.key}`, '=', sql.ref(`keys.${order.key}`))
          .whereRef('edges.address', '=', 'keys.address')
          .$asScalar()
          .$notNull()
          .as('entry'),
      ]),
      withEns,
    );
  };
}

function tagConditions(dialect: Dialect, tagRanges: number): RawBuilder<SqlBool>[] {
  if (tagRanges > MAX_TAG_RANGES) return [sql`edge_tags.tag in ${dialect.textsOf(param<string>('tags'))}`];
  return Array.from({ length: tagRanges }, (_, range) => sql`edge_tags.tag = ${param<string>(tagName(range))}`);
}

function mergedPage<DB, TB extends keyof DB>(
  db: ReadBuilder,
  dialect: Dialect,
  order: Order,
  ranges: readonly SelectQueryBuilder<DB, TB, Key>[],
): AliasableExpression<Key> {
  const merges = dialect.mergesUnions || ranges.length === 1;
  const parts = ranges.map((range) => db.selectFrom((merges ? range : inOrder(range, order)).as('range')).selectAll());
  if (merges) {
    return pageOf(
      parts.reduce((merged, part) => merged.union(part)),
      order,
    );
  }
  // PostgreSQL merges only a UNION ALL of sorted parts; a UNION it sorts as a whole.
  const all = db.selectFrom(parts.reduce((merged, part) => merged.unionAll(part)).as('parts'));
  return pageOf(all.select([order.key, 'address']).distinct().$castTo<Key>(), order);
}

function pageOf<DB, TB extends keyof DB>(keys: SelectQueryBuilder<DB, TB, Key>, order: Order) {
  return inOrder(keys, order).limit(rowCount('limit')).offset(rowCount('offset'));
}
