import { type RawBuilder, sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { leaderboardBody } from '../contract/bodies.ts';
import { flatten } from '../contract/flatten.ts';
import type { Counts } from '../graph/counts.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import { getOrCreate } from './get-or-create.ts';
import { givenTexts } from './given-texts.ts';
import { RANKED_AT, type RankBook, type Ranking } from './rank-book.ts';

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

/** The addresses of a page, and the state of the leaderboard that they are of. */
interface Keys {
  /** Joined with commas; null for an empty page. */
  readonly addresses: string | null;
  readonly ranked_at: number;
  readonly board_version: number;
}

interface Member {
  readonly address: string;
  readonly entry: string;
  readonly top8: number;
  readonly header: string | null;
  readonly board_version: number;
}

/** The members of the leaderboard by one of their counts. Members whose count is 0 come last in either direction. */
export function createRankedLookup(reader: Reader, rankBook: RankBook): (page: RankedPage) => Promise<BinaryString> {
  const prepare = (measure: keyof Counts, direction: Direction) =>
    reader.prepare<object, Keys>((db) =>
      db.selectNoFrom([
        sql<string | null>`(select string_agg(address, ',') from (${keysOf(measure, direction)}) as keys)`.as(
          'addresses',
        ),
        RANKED_AT.as('ranked_at'),
        BOARD_VERSION.as('board_version'),
      ]),
    );
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  const readEntries = createReadEntries(reader);
  return async ({ sort, direction, limit, offset }) => {
    const measure = MEASURES[sort];
    const key = `${measure} ${direction}`;
    const readKeys = getOrCreate(prepared, key, () => prepare(measure, direction));
    const { found, ranking } = await rankBook.with(async (given) => {
      // Descending, a page starts at the first member with its count: the members before are not skipped one by one.
      const start = direction === 'desc' ? given.groupAt(measure, offset) : { count: 0, skipped: offset };
      for (;;) {
        const [keys] = await readKeys({ count: start.count, limit, offset: start.skipped });
        if (keys === undefined) throw new Error('the database has no state');
        const { addresses, ranked_at: rankedAt } = keys;
        // Of another ranking than the given one: the page is read again.
        if (rankedAt !== given.rankedAt) return { found: [], rankedAt };
        const found = await readEntries(addresses?.split(',') ?? [], keys.board_version, given);
        if (found !== null) return { found, rankedAt };
      }
    });
    return leaderboardBody(ranking.time, found);
  };
}

const BOARD_VERSION = sql<number>`(select value from state where key = 'board_version')`;

/** Read from an index alone: looking up the rows that are skipped would take five times as long. */
function keysOf(measure: keyof Counts, direction: Direction): RawBuilder<unknown> {
  const count = sql.ref(measure);
  return sql`select address from leaderboard
    ${direction === 'desc' ? sql`where ${count} <= ${param('count')}` : sql``}
    order by ${direction === 'desc' ? sql`${count} desc, address` : sql`${count} = 0, ${count}, address`}
    limit ${rowCount('limit')} offset ${rowCount('offset')}`;
}

/** Some 600 bytes each. */
const MAX_CACHED = 10_000;

/** Returns the entries of a page; null if the leaderboard has changed since its addresses were read. */
type ReadEntries = (page: readonly string[], boardVersion: number, ranking: Ranking) => Promise<BinaryString[] | null>;

/**
 * Complete entries are cached until the leaderboard changes: looking up and completing 50 of them takes 250 µs, and few
 * members are on the pages that are asked for.
 */
function createReadEntries(reader: Reader): ReadEntries {
  const readMembers = reader.prepare<{ addresses: string }, Member>((db) =>
    db
      .selectFrom(givenTexts(reader.dialect, 'addresses'))
      .innerJoin('leaderboard', 'leaderboard.address', 'given.text')
      .leftJoin('profiles', 'profiles.address', 'given.text')
      .select(['leaderboard.address', 'entry', 'top8', 'header', BOARD_VERSION.as('board_version')]),
  );
  let cache = { version: '', entries: new Map<string, BinaryString>() };
  return async (page, boardVersion, ranking) => {
    const version = `${ranking.rankedAt} ${boardVersion}`;
    if (cache.version !== version || cache.entries.size > MAX_CACHED) cache = { version, entries: new Map() };
    const { entries } = cache;
    const missing = page.filter((address) => !entries.has(address));
    if (missing.length > 0) {
      const members = await readMembers({ addresses: JSON.stringify(missing) });
      const isSame = members.length === missing.length && members[0]?.board_version === boardVersion;
      if (!isSame) return null;
      for (const member of members) entries.set(member.address, completeMember(member, ranking));
    }
    return page.flatMap((address) => entries.get(address) ?? []);
  };
}

function completeMember({ entry, top8, header }: Member, { ranks, complete }: Ranking): BinaryString {
  const more = { header: header ?? '', top8: `${top8}`, top8_rank: ranks.top8.get(`${top8}`) ?? '' };
  return flatten(toBinary(`${complete(entry).slice(0, -1)},${JSON.stringify(more).slice(1)}`));
}
