import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { LeaderboardEntry } from '../../contract/schemas.ts';
import { COUNTED, type Counts } from '../../graph/counts.ts';
import type { Address } from '../../protocol/hex.ts';
import type { ReadBuilder } from '../../store/query-builder.ts';
import { selectRows } from '../../store/statement.ts';
import { type Order, type Start, selectPage } from '../order.ts';
import { KEEP_ORDER } from '../page.ts';
import { RANKED_AT, type Ranking } from './rank-book.ts';

/** A member of the leaderboard. */
export interface MemberRow extends Counts {
  readonly address: Address;
  readonly name: string | null;
  readonly avatar: string | null;
  readonly header: string | null;
}

/** The columns of a page are null if it is empty. */
export type PageRow = { readonly ranked_at: number } & { readonly [C in keyof MemberRow]: MemberRow[C] | null };

/**
 * The address of an account on the leaderboard. Here and below, subqueries instead of joins make PostgreSQL look up the
 * rows of a page only: it plans for pages of any length, and would read whole tables for a join.
 */
export const MEMBER_ADDRESS = sql`(select address from accounts where accounts.id = account) as address`;

/** The columns of a member. */
export const MEMBER = sql`${sql.join(COUNTED.map((count) => sql.ref(count)))}, ${MEMBER_ADDRESS}`;

/** A page of the leaderboard. */
export function pageOfLeaderboard(order: Order, start: Start, columns = MEMBER): RawBuilder<unknown> {
  return selectPage({ columns, rows: sql`leaderboard`, order }, start);
}

/** Columns of the profile of the address of a row of `page`. */
export function profileOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(
    columns.map(
      (column) =>
        sql`(select ${sql.ref(column)} from profiles where profiles.address = page.address) as ${sql.ref(column)}`,
    ),
  );
}

/** Selects members and, in the same snapshot, the time of the ranking. `page` selects the columns of `MEMBER` in order. */
export function selectMembers(db: ReadBuilder, page: RawBuilder<unknown>): Compilable<PageRow> {
  const found = sql`select ranking.ranked_at, members.*
    from (select ${RANKED_AT} as ranked_at) as ranking
    left join (select page.*, ${profileOf(['name', 'avatar', 'header'])} from (${page}) as page ${KEEP_ORDER}) as members on 1 = 1`;
  return selectRows(db, found);
}

/** The members of a page, and the time of their ranking. */
export function membersIn(rows: readonly PageRow[]): { rankedAt: number; members: MemberRow[] } {
  // Safe: only the row of an empty page has no address.
  const members = rows.filter(({ address }) => address !== null) as MemberRow[];
  return { rankedAt: rows[0]?.ranked_at ?? 0, members };
}

export function leaderboardEntryOf(member: MemberRow, { rank, time }: Ranking): LeaderboardEntry {
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
