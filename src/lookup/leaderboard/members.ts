import { type RawBuilder, sql } from 'kysely';
import type { LeaderboardBody, LeaderboardEntry } from '../../contract/schemas.ts';
import { COUNTED, type Counts } from '../../graph/counts.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Column } from '../../store/schema.ts';
import { SHOWN } from '../../store/search-index.ts';
import type { Statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { type Order, type Start, selectPage } from '../order.ts';
import { KEEP_ORDER } from '../page.ts';
import { type RankBook, type Ranked, type Ranking, rankedRows } from './rank-book.ts';

/** A member of the leaderboard. */
export interface MemberRow extends Counts {
  readonly address: Address;
  readonly name: string | null;
  readonly avatar: string | null;
  readonly header: string | null;
}

/**
 * The address of an account on the leaderboard. A subquery instead of a join makes PostgreSQL look up the rows of a page
 * only, see `leftJoinOne`.
 */
export const MEMBER_ADDRESS = sql`(select address from accounts where accounts.id = account) as address`;

const COUNTS = sql.join(COUNTED.map((count) => sql.ref(count)));
/** The columns of `MemberRow`. */
export const MEMBER = sql`${COUNTS}, address, ${sql.join(SHOWN.map((column) => sql.ref(column)))}`;

/** A page of the leaderboard. */
export function pageOfLeaderboard(
  order: Order,
  start: Start,
  columns = sql`${COUNTS}, ${MEMBER_ADDRESS}`,
): RawBuilder<unknown> {
  return selectPage({ columns, rows: sql`leaderboard`, order }, start);
}

/** Adds columns of the profile of the address of each row. */
export function withProfiles(
  dialect: Dialect,
  page: RawBuilder<unknown>,
  columns: readonly Column<'profiles'>[],
): RawBuilder<unknown> {
  return sql`select page.*, ${sql.join(columns.map((column) => sql.ref(column)))} from (${page}) as page
    ${dialect.leftJoinOne('profiles', sql`profiles.address = page.address`)} ${KEEP_ORDER}`;
}

/** Members whose columns a query selects in order, as of one ranking. */
export async function readEntries<P extends object>(
  reader: Reader,
  rankBook: RankBook,
  query: Statement<P, Ranked<MemberRow>>,
  params: P,
): Promise<LeaderboardBody> {
  const { rows, ranking } = await rankBook.with(reader, async () => rankedRows(await reader.all(query, params)));
  return { last_updated: ranking.time, results: rows.map((member) => leaderboardEntryOf(member, ranking)) };
}

function leaderboardEntryOf(member: MemberRow, { rank, time }: Ranking): LeaderboardEntry {
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
