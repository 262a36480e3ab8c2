import {
  type AliasableExpression,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Dialect } from '../store/dialect.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { ReadBuilder } from '../store/store.ts';
import type { Order } from './followers.ts';
import { joinEntries } from './join-entries.ts';
import type { BuildText } from './subject.ts';
import { doesNotWait, WAITS, waitingAccounts } from './waiting-followers.ts';

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
      .$if(arms > MAX_ARMS, (query) => query.distinct())
      .$castTo<Key>();
    const merging = { db, dialect, order };
    const ranges = tagsOfArms(dialect, arms).map((isTagged) => rangeOf(merging, tagged.where(isTagged)));
    return entriesOf(db, mergedPage(merging, ranges), [account, column, sql.ref(`keys.${column}`)]);
  };
}

/** The same by how many follow them, while accounts wait to be placed: these are merged with the others. */
export function popularTaggedFollowers(dialect: Dialect, isByList: boolean, arms: number): BuildText {
  const order = ['popularity', 'desc'] as const;
  return (db, account) => {
    const placed = db
      .selectFrom('follower_tags')
      .select(['popularity', 'address'])
      .where('target', '=', account)
      .where(doesNotWait(dialect, sql.ref('follower_tags.address')))
      .$if(isByList, (query) => query.where('hidden', '=', sql.lit(0)))
      .$castTo<Key>();
    const waiting = db
      .selectFrom(waitingAccounts(dialect))
      .select(['accounts.followers as popularity', 'accounts.address'])
      .where(WAITS)
      .$castTo<Key>();
    const isEdgeTagged = (isTagged: RawBuilder<SqlBool>) =>
      db
        .selectFrom('follower_tags')
        .select(sql.lit(1).as('one'))
        .where('target', '=', account)
        .where(isTagged)
        .where('follower_tags.popularity', '=', sql.ref<number>('accounts.popularity'))
        .where('follower_tags.address', '=', sql.ref<string>('accounts.address'))
        .$if(isByList, (query) => query.where('hidden', '=', sql.lit(0)))
        .limit(sql.lit(1));
    const merging = { db, dialect, order };
    const ranges = tagsOfArms(dialect, arms).flatMap((isTagged) => [
      rangeOf(merging, placed.where(isTagged)),
      rangeOf(merging, waiting.where(sql`${isEdgeTagged(isTagged)}`, 'is not', null)),
    ]);
    // Where the edges of an account stand is told by its own row.
    const stored = db
      .selectFrom('accounts')
      .select('popularity')
      .where('address', '=', sql.ref<string>('keys.address'));
    return entriesOf(db, mergedPage(merging, ranges), [account, 'popularity', sql`${stored}`]);
  };
}

/** What a row of each range has as its tag. */
function tagsOfArms(dialect: Dialect, arms: number): RawBuilder<SqlBool>[] {
  if (arms > MAX_ARMS) return [sql`follower_tags.tag in ${dialect.textsOf(param<string>('tags'))}`];
  return Array.from({ length: arms }, (_, arm) => sql`follower_tags.tag = ${param<string>(armName(arm))}`);
}

/** The entries of followers that are found as `value` in one of the orders that entries are kept in. */
function entriesOf(
  db: ReadBuilder,
  page: AliasableExpression<Key>,
  [account, column, value]: [account: Expression<string>, column: Order[0], value: RawBuilder<number>],
): ReturnType<BuildText> {
  return joinEntries(
    db
      .selectFrom(page.as('keys'))
      .select((eb) =>
        eb
          .selectFrom('followers')
          .select('entry')
          .where('target', '=', account)
          .where(`followers.${column}`, '=', value)
          .whereRef('followers.address', '=', 'keys.address')
          .$asScalar()
          .$notNull()
          .as('entry'),
      ),
  );
}

interface Merging {
  readonly db: ReadBuilder;
  readonly dialect: Dialect;
  readonly order: Order;
}

type Range = ReturnType<typeof rangeOf>;

function rangeOf<DB, TB extends keyof DB>({ db, dialect, order }: Merging, keys: SelectQueryBuilder<DB, TB, Key>) {
  return db.selectFrom((dialect.mergesUnions ? keys : inOrderOf(keys, order)).as('range')).selectAll();
}

/** Each tag has its range of an index, in the order of the answer. They are merged as they are read, each key once. */
function mergedPage({ db, dialect, order }: Merging, ranges: readonly Range[]): AliasableExpression<Key> {
  if (dialect.mergesUnions || ranges.length === 1) {
    return pageOf(
      ranges.reduce((merged, range) => merged.union(range)),
      order,
    );
  }
  const all = db.selectFrom(ranges.reduce((merged, range) => merged.unionAll(range)).as('ranges'));
  return pageOf(all.select([order[0], 'address']).distinct().$castTo<Key>(), order);
}

function pageOf<DB, TB extends keyof DB>(keys: SelectQueryBuilder<DB, TB, Key>, order: Order) {
  return inOrderOf(keys, order).limit(rowCount('limit')).offset(rowCount('offset'));
}

function inOrderOf<DB, TB extends keyof DB>(keys: SelectQueryBuilder<DB, TB, Key>, [column, direction]: Order) {
  return keys.orderBy(sql.ref(column), direction).orderBy(sql.ref('address'));
}
