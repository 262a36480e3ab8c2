import type { Dialect } from '../store/dialect.ts';
import { param, rowCount } from '../store/prepare.ts';
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

/**
 * Finds a page of followers by the tags alone, and looks only its entries up. Each tag has its range of an index, in the
 * order of the answer; both engines merge ranges as they read them, and drop what comes twice.
 */
export function taggedFollowers(
  dialect: Dialect,
  [column, direction]: Order,
  isByList: boolean,
  arms: number,
): BuildText {
  return (db, account) => {
    const tagged = db
      .selectFrom('follower_tags')
      .select([column, 'address'])
      .where('target', '=', account)
      .$if(isByList, (query) => query.where('hidden', '=', 0));
    const ranges = Array.from({ length: arms }, (_, arm) => tagged.where('tag', '=', param<string>(armName(arm))));
    const all =
      arms > MAX_ARMS
        ? tagged.where('tag', 'in', dialect.textsOf(param<string>('tags'))).distinct()
        : ranges.reduce((merged, range) => merged.union(range));
    const page = all.orderBy(column, direction).orderBy('address').limit(rowCount('limit')).offset(rowCount('offset'));
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
