import { type RawBuilder, sql } from 'kysely';
import type { RankedBody } from '../../contract/leaderboard-schemas.ts';
import type { Counts } from '../../graph/counts.ts';
import { SHOWN } from '../../store/search-index.ts';
import { selectRows, statement, statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { ADDRESS_KEY, byGreatest, type Order, type Start, startOf } from '../order.ts';
import type { Page } from '../page.ts';
import { type MemberRow, pageOfLeaderboard, readEntries, withProfiles } from './members.ts';
import { type RankBook, type Ranked, selectRanked } from './rank-book.ts';

/** The measures that the leaderboard can be sorted by, by their names in requests. */
const MEASURES = {
  mutuals: 'mutuals',
  followers: 'followers',
  following: 'following',
  blocked: 'blocks',
  blocks: 'blocks',
  top8: 'top8',
} as const satisfies Record<string, keyof Counts>;
type RankedSort = keyof typeof MEASURES;
// Safe: the keys of a literal object are known.
export const RANKED_SORTS = Object.keys(MEASURES) as RankedSort[];

export const DIRECTIONS = ['desc', 'asc'] as const;
type Direction = (typeof DIRECTIONS)[number];

export interface RankedPage extends Page {
  readonly sort: RankedSort;
  readonly direction: Direction;
}

/** Members whose count is 0 come last in either direction. */
const pageOf = statements((measure: keyof Counts, direction: Direction, start: Start) =>
  statement<Page, Ranked<MemberRow>>((db, dialect) => {
    const count = sql.ref(`leaderboard.${measure}`);
    const order = direction === 'desc' ? byGreatest(count) : byLeast(count);
    return selectRows(db, selectRanked(withProfiles(dialect, pageOfLeaderboard(order, start), SHOWN)));
  }),
);

function byLeast(count: RawBuilder<unknown>): Order {
  return [
    [sql`(${count} = 0)`, 'asc'],
    [count, 'asc'],
    [ADDRESS_KEY, 'asc'],
  ];
}

/** The members of the leaderboard by one of their counts. */
export async function readRanked(
  reader: Reader,
  rankBook: RankBook,
  { sort, direction, limit, offset }: RankedPage,
): Promise<RankedBody> {
  const query = pageOf(MEASURES[sort], direction, startOf({ offset }));
  return readEntries(reader, rankBook, query, { limit, offset });
}
