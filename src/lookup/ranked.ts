import { type RawBuilder, sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { createCompleteEntry } from '../contract/complete-entry.ts';
import type { Counts } from '../graph/counts.ts';
import { rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import type { RankBook } from './rank-book.ts';

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

export interface RankedPage {
  readonly sort: RankedSort;
  readonly direction: (typeof DIRECTIONS)[number];
  readonly limit: number;
  readonly offset: number;
}

/** The members of the leaderboard by one of their counts. Members whose count is 0 come last in either direction. */
export function createRankedLookup(reader: Reader, rankBook: RankBook): (page: RankedPage) => Promise<BinaryString> {
  const prepare = (measure: keyof Counts, direction: RankedPage['direction']) =>
    reader.prepare<object, { rows: string | null; ranked_at: number }>((db) => {
      const page = sql`select entry, top8, (select header from profiles where profiles.address = leaderboard.address)
          as header
        from leaderboard order by ${orderOf(measure, direction)}
        limit ${rowCount('limit')} offset ${rowCount('offset')}`;
      return db.selectNoFrom([
        sql<string | null>`(select ${reader.dialect.jsonRows(['entry', 'top8', 'header'])} from (${page}) as page)`.as(
          'rows',
        ),
        sql<number>`(select value from state where key = 'ranks_made_at')`.as('ranked_at'),
      ]);
    });
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  return async ({ sort, direction, limit, offset }) => {
    const key = `${MEASURES[sort]} ${direction}`;
    let read = prepared.get(key);
    if (read === undefined) prepared.set(key, (read = prepare(MEASURES[sort], direction)));
    const query = read;
    const { found, ranks, rankedAt } = await rankBook.with(async () => {
      const [row] = await query({ limit, offset });
      return { found: row?.rows ?? '[]', rankedAt: row?.ranked_at ?? 0 };
    });
    const time = new Date(rankedAt).toISOString();
    const complete = createCompleteEntry(ranks, time);
    // Safe: the statement selects these columns.
    const rows = JSON.parse(found) as [entry: string, top8: number, header: string | null][];
    const results = rows.map(([entry, top8, header]) => {
      const more = { header: header ?? '', top8: `${top8}`, top8_rank: ranks.top8.get(`${top8}`) ?? '' };
      return `${complete(entry).slice(0, -1)},${JSON.stringify(more).slice(1)}`;
    });
    return toBinary(`{"last_updated":"${time}","results":[${results.join(',')}]}`);
  };
}

/** An index has each of these orders. */
function orderOf(measure: keyof Counts, direction: RankedPage['direction']): RawBuilder<unknown> {
  const count = sql.ref(measure);
  if (direction === 'asc') return sql`${count} = 0, ${count}, address`;
  return measure === 'followers' ? sql`place, address` : sql`${count} desc, address`;
}
