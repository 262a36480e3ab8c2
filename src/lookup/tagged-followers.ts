import { type AliasableExpression, type SelectQueryBuilder, sql } from 'kysely';
import type { Dialect } from '../store/dialect.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { ReadBuilder } from '../store/store.ts';
import type { Order } from './followers.ts';
import { joinEntries } from './join-entries.ts';
import type { BuildText } from './subject.ts';

/** More tags than these are hardly asked for at once: one statement takes any number of them, and sorts what it finds. */
const MAX_ARMS = 8;
const armName = (arm: number) => `tag${arm}`;

/** How many arms a statement for these tags has; `MAX_ARMS + 1` stands for any number above. */
export function tagArms(tags: readonly string[]): number {
  return tags.length === 0 ? 0 : Math.min(new Set(tags).size, MAX_ARMS + 1);
}

/** What a statement with so many arms is given. */
export function tagParameters(tags: readonly string[]): Record<string, string> {
  if (tags.length === 0) return {};
  const different = [...new Set(tags)];
  if (different.length > MAX_ARMS) return { tags: JSON.stringify(different) };
  return Object.fromEntries(different.map((tag, arm) => [armName(arm), tag]));
}

/** What one of an account's followers is found by: an address, of which there is one edge, and where the order has it. */
type Key = Readonly<Record<Order[0] | 'address', string | number>>;

/** Finds a page of followers by the tags alone, and looks only its entries up. */
export function taggedFollowers(dialect: Dialect, order: Order, isByList: boolean, arms: number): BuildText {
  const [column] = order;
  return (db, account) => {
    const tagged = db
      .selectFrom('follower_tags')
      .select([column, 'address'])
      .where('target', '=', account)
      .$if(isByList, (query) => query.where('hidden', '=', sql.lit(0)))
      .$castTo<Key>();
    const page =
      arms > MAX_ARMS
        ? pageOf(tagged.where('tag', 'in', dialect.textsOf(param<string>('tags'))).distinct(), order)
        : mergedPage(
            { db, dialect, order },
            Array.from({ length: arms }, (_, arm) => tagged.where('tag', '=', param<string>(armName(arm)))),
          );
    return joinEntries(
      db
        .selectFrom(page.as('keys'))
        .select((eb) =>
          eb
            .selectFrom('followers')
            .select('entry')
            .where('target', '=', account)
            .whereRef(`followers.${column}`, '=', `keys.${column}`)
            .whereRef('followers.address', '=', 'keys.address')
            .$asScalar()
            .$notNull()
            .as('entry'),
        ),
    );
  };
}

interface Merging {
  readonly db: ReadBuilder;
  readonly dialect: Dialect;
  readonly order: Order;
}

/** Each tag has its range of an index, in the order of the answer. They are merged as they are read, each key once. */
function mergedPage<DB, TB extends keyof DB>(
  { db, dialect, order }: Merging,
  ranges: readonly SelectQueryBuilder<DB, TB, Key>[],
): AliasableExpression<Key> {
  if (dialect.mergesUnions || ranges.length === 1) {
    return pageOf(
      ranges.reduce((merged, range) => merged.union(range)),
      order,
    );
  }
  const inOrder = ranges.map((range) => db.selectFrom(inOrderOf(range, order).as('range')).selectAll());
  const all = db.selectFrom(inOrder.reduce((merged, range) => merged.unionAll(range)).as('ranges'));
  return pageOf(all.select([order[0], 'address']).distinct().$castTo<Key>(), order);
}

function pageOf<DB, TB extends keyof DB>(keys: SelectQueryBuilder<DB, TB, Key>, order: Order) {
  return inOrderOf(keys, order).limit(rowCount('limit')).offset(rowCount('offset'));
}

function inOrderOf<DB, TB extends keyof DB>(keys: SelectQueryBuilder<DB, TB, Key>, [column, direction]: Order) {
  return keys.orderBy(sql.ref(column), direction).orderBy(sql.ref('address'));
}
