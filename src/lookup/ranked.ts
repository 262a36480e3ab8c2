import { type RawBuilder, sql } from 'kysely';
import { type BinaryString, binaryOf } from '../contract/binary-string.ts';
import { leaderboardBody } from '../contract/bodies.ts';
import type { Counts } from '../graph/counts.ts';
import type { Dialect } from '../store/dialect.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import type { RankBook, Ranking } from './rank-book.ts';

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

export interface RankedPage {
  readonly sort: RankedSort;
  readonly direction: Direction;
  readonly limit: number;
  readonly offset: number;
}

interface Row {
  readonly members: Buffer | string | null;
  readonly ranked_at: number;
}

/** The members of the leaderboard by one of their counts. Members whose count is 0 come last in either direction. */
export function createRankedLookup(reader: Reader, rankBook: RankBook): (page: RankedPage) => Promise<BinaryString> {
  const prepare = (measure: keyof Counts, direction: Direction, isDeep: boolean) =>
    reader.prepare<object, Row>((db) =>
      db.selectNoFrom([
        selectMembers(reader.dialect, pageOf(measure, direction, isDeep)).as('members'),
        sql<number>`(select value from state where key = 'ranks_made_at')`.as('ranked_at'),
      ]),
    );
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  return async ({ sort, direction, limit, offset }) => {
    const measure = MEASURES[sort];
    const { found, ranking } = await rankBook.with(async ({ groupAt }) => {
      // Descending, a page starts at the first member with its count: the members before are not skipped one by one.
      const { count, skipped } = direction === 'desc' ? groupAt(measure, offset) : { count: 0, skipped: offset };
      const isDeep = skipped > DEEP_OFFSET;
      const key = `${measure} ${direction} ${isDeep}`;
      let read = prepared.get(key);
      if (read === undefined) prepared.set(key, (read = prepare(measure, direction, isDeep)));
      const [row] = await read({ count, limit, offset: skipped });
      return { found: row?.members ?? null, rankedAt: row?.ranked_at ?? 0 };
    });
    const members = found === null ? [] : binaryOf(found).split(MEMBER_END);
    return leaderboardBody(
      ranking.time,
      members.map((member) => completeMember(member as BinaryString, ranking)),
    );
  };
}

// Control characters are escaped in JSON, so no entry contains them.
const MEMBER_END = '\x1e';
const FIELD_END = '\x1f';

/** Above this offset, skipping keys in the index and looking up the page costs less than looking up what is skipped. */
const DEEP_OFFSET = 100;

/** The keys of a page, or its whole rows. */
function pageOf(measure: keyof Counts, direction: Direction, isDeep: boolean): RawBuilder<unknown> {
  const count = sql.ref(measure);
  const rows = sql`select ${isDeep ? sql`place, address` : sql`place, address, entry, top8`} from leaderboard
    ${direction === 'desc' ? sql`where ${count} <= ${param('count')}` : sql``}
    order by ${direction === 'desc' ? sql`${count} desc, address` : sql`${count} = 0, ${count}, address`}
    limit ${rowCount('limit')} offset ${rowCount('offset')}`;
  if (!isDeep) return rows;
  // Scalar subqueries and not a join, which need not keep the order of the page.
  const column = (name: 'entry' | 'top8') => sql`(select ${sql.ref(name)} from leaderboard
    where leaderboard.place = keys.place and leaderboard.address = keys.address) as ${sql.ref(name)}`;
  return sql`select address, ${column('entry')}, ${column('top8')} from (${rows}) as keys`;
}

/** A page as one value: entry, top8 and header of each member. As bytes, so that names are not decoded and encoded. */
function selectMembers(dialect: Dialect, page: RawBuilder<unknown>): RawBuilder<Buffer | string | null> {
  const end = sql.lit(FIELD_END);
  const header = sql`coalesce((select ${dialect.jsonQuote('header')} from profiles
    where profiles.address = page.address), '""')`;
  const members = sql`select entry || ${end} || top8 || ${end} || ${header} as member from (${page}) as page`;
  return sql`(select ${dialect.bytes(sql`string_agg(member, ${sql.lit(MEMBER_END)})`)} from (${members}) as members)`;
}

function completeMember(member: BinaryString, { ranks, complete }: Ranking): BinaryString {
  const [entry = '', top8 = '', header = ''] = member.split(FIELD_END);
  const rank = ranks.top8.get(top8) ?? '';
  // Safe: parts of a binary string and ASCII.
  return `${complete(entry).slice(0, -1)},"header":${header},"top8":"${top8}","top8_rank":"${rank}"}` as BinaryString;
}
