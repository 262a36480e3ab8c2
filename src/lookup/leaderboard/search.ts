import { sql } from 'kysely';
import { createTimeSlices } from '../../async/time-slices.ts';
import type { LeaderboardBody } from '../../contract/schemas.ts';
import { param } from '../../store/params.ts';
import { columns, optional, select, splitHead, statement, withHead } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { type Page, type PageBody, pageBody } from '../page.ts';
import { findMembers } from '../search/find-members.ts';
import { type MemberIndex, SEARCHED } from '../search/member-index.ts';
import { leaderboardEntryOf, readRanked } from './members.ts';
import { countsIn, RANKED, type RankBook } from './rank-book.ts';

export interface SearchPage extends Page {
  /** Trimmed; empty for the whole leaderboard. */
  readonly term: string;
}

export interface LeaderboardPage extends SearchPage {
  /** Whether to add members whose name is near the term if none starts with it. */
  readonly guess: boolean;
}

const { account } = columns('leaderboard');
const { name, avatar, header } = optional('profiles');
const MEMBER = {
  account,
  ...countsIn(columns('leaderboard')),
  address: columns('accounts').address,
  name,
  avatar,
  header,
};

/** The members with some ids, in any order. */
const membersOf = statement<{ accounts: string }>()(
  (_db, dialect) =>
    withHead(
      select({ ...RANKED, ...SEARCHED }),
      select(
        MEMBER,
        sql`from ${dialect.textsOf(param('accounts'))} as given
          ${dialect.leftJoinOne('leaderboard', sql`leaderboard.account = cast(given.text as integer)`)}
          ${dialect.leftJoinOne('accounts', sql`accounts.id = leaderboard.account`)}
          ${dialect.leftJoinOne('profiles', sql`profiles.address = accounts.address`)}
          where leaderboard.account is not null`,
      ),
    ).query,
);

/** The leaderboard, or its members whose name or address matches a term. */
export async function readLeaderboard(
  reader: Reader,
  rankBook: RankBook,
  members: MemberIndex,
  { term: given, limit, offset, guess }: LeaderboardPage,
): Promise<PageBody<LeaderboardBody>> {
  if (given === '') return readRanked(reader, rankBook, { sort: 'followers', direction: 'desc', limit, offset });
  const query = { term: given.toLowerCase(), limit, offset, guess };
  const { shown, ranking } = await rankBook.with(reader, () =>
    members.with(async ({ leaves }) => {
      const found = await findMembers(leaves, query, createTimeSlices());
      const accounts = JSON.stringify(found.map(({ account }) => account));
      const { head, rows } = splitHead(await reader.all(membersOf, { accounts }));
      const byAccount = new Map(rows.map((row) => [row.account, row]));
      const shown = found.flatMap(({ account, isGuess }) => {
        const member = byAccount.get(account);
        return member === undefined ? [] : [{ member, isGuess }];
      });
      return { shown, rankedAt: head?.ranked_at ?? 0, searched: head?.searched ?? null };
    }),
  );
  return pageBody(shown, (some) => ({
    last_updated: ranking.time,
    results: some.map(({ member, isGuess }) => {
      return { ...leaderboardEntryOf(member, ranking), ...(isGuess ? { guess: true as const } : {}) };
    }),
  }));
}
