import { type RawBuilder, sql } from 'kysely';
import {
  type AllMembersBody,
  COUNT_LISTS,
  type CountName,
  type CountRows,
  type LeaderboardCountBody,
  type RankedBody,
  type TotalsBody,
} from '../../contract/leaderboard-schemas.ts';
import type { LeaderboardBody, LeaderboardEntry } from '../../contract/schemas.ts';
import { type Counts, type Measure, RARELY_COUNTED, type RareCount } from '../../graph/counts.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Column, Row } from '../../store/schema.ts';
import { readState } from '../../store/state.ts';
import {
  columns,
  type Select,
  type SelectedRow,
  type Statement,
  statement,
  statements,
} from '../../store/statement.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import {
  ADDRESS_KEY,
  byGreatest,
  KEEP_ORDER,
  type Order,
  type Page,
  type PageBody,
  pageBody,
  type Start,
  selectPage,
  startOf,
  WHOLE,
} from '../page.ts';
import { countsIn, type RankBook, type Ranked, type Ranking, selectRanked } from './rank-book.ts';

/**
 * The address of an account on the leaderboard. A subquery instead of a join makes PostgreSQL look up the rows of a page
 * only, see `leftJoinOne`.
 */
const address = sql<Address>`(select address from accounts where accounts.id = account)`;
const leaderboard = columns('leaderboard');

/** A page of the leaderboard with `columns`. */
const pageOfMembers = <C extends { address: typeof address }>(columns: C, order: Order, start: Start) =>
  selectPage({ columns, rows: sql`leaderboard`, order }, start);

/** Adds columns of the profile of the address of each row. */
export function withProfiles<R extends { readonly address: Address }, N extends Column<'profiles'>>(
  dialect: Dialect,
  { names, query }: Select<R>,
  shown: readonly N[],
): Select<R & { readonly [C in N]: Row<'profiles'>[C] | null }> {
  return {
    names: [...names, ...shown],
    query: sql`select page.*, ${sql.join(shown.map((column) => sql.ref(`profiles.${column}`)))} from (${query}) as page
      ${dialect.leftJoinOne('profiles', sql`profiles.address = page.address`)} ${KEEP_ORDER}`,
  };
}

/** The columns of the profile of a member. */
const SHOWN = ['name', 'avatar', 'header'] as const;

/** A page of members with what is shown of each. */
const memberPage = (dialect: Dialect, order: Order, start: Start) =>
  withProfiles(dialect, pageOfMembers({ ...countsIn(leaderboard), address }, order, start), SHOWN);
type Member = SelectedRow<ReturnType<typeof memberPage>>;

/** Members whose columns a query selects in order, as of one ranking. */
async function readEntries<P extends object>(
  reader: Reader,
  rankBook: RankBook,
  query: Statement<P, Ranked<Member>>,
  params: P,
): Promise<PageBody<LeaderboardBody>> {
  const { rows, ranking } = await rankBook.read(reader, query, params);
  return pageBody(rows, (some) => ({
    last_updated: ranking.time,
    results: some.map((member) => leaderboardEntryOf(member, ranking)),
  }));
}

export function leaderboardEntryOf(member: Member, { rank, time }: Ranking): LeaderboardEntry {
  const { address, name, avatar, header, mutuals, following, followers, blocks, top8 } = member;
  return {
    address,
    name: name ?? '',
    avatar: avatar ?? '',
    mutuals_rank: rank('mutuals', mutuals),
    followers_rank: rank('followers', followers),
    following_rank: rank('following', following),
    blocks_rank: rank('blocks', blocks),
    mutuals: `${mutuals}`,
    following: `${following}`,
    followers: `${followers}`,
    blocks: `${blocks}`,
    updated_at: time,
    header: header ?? '',
    top8: `${top8}`,
    top8_rank: rank('top8', top8),
  };
}

/** The measures that the leaderboard can be sorted by, by their names in requests. */
const SORTED_BY = {
  mutuals: 'mutuals',
  followers: 'followers',
  following: 'following',
  blocked: 'blocks',
  blocks: 'blocks',
  top8: 'top8',
} as const satisfies Record<string, keyof Counts>;
type RankedSort = keyof typeof SORTED_BY;
// Safe: the keys of a literal object are known.
export const RANKED_SORTS = Object.keys(SORTED_BY) as RankedSort[];

export const DIRECTIONS = ['desc', 'asc'] as const;
type Direction = (typeof DIRECTIONS)[number];

export interface RankedPage extends Page {
  readonly sort: RankedSort;
  readonly direction: Direction;
}

/** Members whose count is 0 come last in either direction. */
const rankedPage = statements((count: keyof Counts, direction: Direction, start: Start) =>
  statement<Page>()((_db, dialect) => {
    const order = direction === 'desc' ? byGreatest(leaderboard[count]) : byLeast(leaderboard[count]);
    return selectRanked(memberPage(dialect, order, start));
  }),
);

function byLeast(count: RawBuilder<number>): Order {
  return [
    [sql<number>`(${count} = 0)`, 'asc'],
    [count, 'asc'],
    [ADDRESS_KEY, 'asc'],
  ];
}

/** The members of the leaderboard by one of their counts. */
export async function readRanked(
  reader: Reader,
  rankBook: RankBook,
  { sort, direction, limit, offset }: RankedPage,
): Promise<PageBody<RankedBody>> {
  const query = rankedPage(SORTED_BY[sort], direction, startOf({ offset }));
  return readEntries(reader, rankBook, query, { limit, offset });
}

/** All of them. */
export async function* streamRanked(
  reader: Reader & StreamReader,
  rankBook: RankBook,
  { sort, direction }: Omit<RankedPage, keyof Page>,
): AsyncGenerator<Pick<RankedBody, 'results'>> {
  const query = rankedPage(SORTED_BY[sort], direction, 'top');
  for await (const { rows, ranking } of rankBook.stream(reader, query, WHOLE))
    yield { results: rows.map((member) => leaderboardEntryOf(member, ranking)) };
}

const allMembers = statements((start: Start) =>
  statement<Page>()((_db, dialect) => {
    const page = pageOfMembers({ address }, byGreatest(leaderboard.followers), start);
    return withProfiles(dialect, page, ['name']).query;
  }),
);

/** All members of the leaderboard from `offset` on, by followers. */
export async function* streamMembers(
  reader: StreamReader,
  { offset }: Pick<Page, 'offset'>,
): AsyncGenerator<AllMembersBody> {
  for await (const rows of reader.stream(allMembers(startOf({ offset })), { ...WHOLE, offset })) yield bodyOfAll(rows);
}

/** A page of them. */
export async function readMembers(reader: Reader, { limit, offset }: Page): Promise<PageBody<AllMembersBody>> {
  return pageBody(await reader.all(allMembers(startOf({ offset })), { limit, offset }), bodyOfAll);
}

function bodyOfAll(rows: readonly Pick<Member, 'address' | 'name'>[]): AllMembersBody {
  return { results: rows.map(({ address, name }) => ({ address, name: name ?? '' })) };
}

const countPage = statements((measure: Measure, start: Start) =>
  statement<Page>()(() => {
    const count = isRare(measure) ? columns('rare_counts')[measure] : leaderboard[measure];
    const page = { columns: { count, address }, where: sql`${count} > 0`, order: byGreatest(count) };
    return selectRanked(selectPage({ ...page, rows: isRare(measure) ? sql`rare_counts` : sql`leaderboard` }, start));
  }),
);

function isRare(measure: Measure): measure is RareCount {
  return RARELY_COUNTED.some((rare) => rare === measure);
}

/** The accounts with the greatest counts. Equal counts have equal ranks, on different pages too. */
export async function readCountRows<N extends CountName>(
  reader: Reader,
  rankBook: RankBook,
  name: N,
  { limit, offset }: Page,
): Promise<PageBody<CountRows<N>>> {
  const { measure, key } = COUNT_LISTS[name];
  const { rows, ranking } = await rankBook.read(reader, countPage(measure, startOf({ offset })), { limit, offset });
  const entryOf = ({ address, count }: (typeof rows)[number]) => {
    return { rank: Number(ranking.rank(measure, count)), address, [key]: `${count}` };
  };
  // Safe: each row has the key of its count.
  return pageBody(rows, (some) => some.map(entryOf) as object as CountRows<N>);
}

export async function readLeaderboardCount(reader: Reader): Promise<LeaderboardCountBody> {
  const numberOf = await readState(reader);
  return { leaderboardCount: `${numberOf('ranked')}` };
}

/** Numbers of the whole graph. They are stored, so it takes the same time for any size. */
export async function readTotals(reader: Reader): Promise<TotalsBody> {
  const numberOf = await readState(reader);
  return {
    stats: {
      address_count: `${numberOf('listed_accounts')}`,
      list_count: `${numberOf('lists')}`,
      list_op_count: `${numberOf('list_ops')}`,
      user_count: `${numberOf('minted_accounts')}`,
    },
  };
}
