import { type RawBuilder, sql } from 'kysely';
import type { FollowersBody, FollowingBody } from '../../contract/lookup-schemas.ts';
import { isPartOfAddress } from '../../graph/search-grams.ts';
import type { Dialect } from '../../store/dialect.ts';
import { select, statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { type LeaderboardPage, matchTerm, type TermMatch } from '../leaderboard/search.ts';
import { PAGE, type Page, type PageBody, pageBody } from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, readAbout } from '../refs/account-ref.ts';
import {
  followerColumns,
  followerOf,
  followingColumns,
  followingOf,
  IS_FOLLOW,
  isIn,
  NAMED_ACCOUNT,
  OTHER_RECORDS,
  SOURCE,
} from './edge-lists.ts';

type Params = Page & { term: string };

const NAME = sql<string>`coalesce(named.search_name, '')`;

/** Names are compared with every term, addresses only with terms that an address can contain. */
const matchOf = (dialect: Dialect, mayBeAddress: boolean): TermMatch =>
  matchTerm(dialect, mayBeAddress ? [NAME, sql`shown.address`] : [NAME]);

const NAMED = sql`left join profiles as named on named.address = shown.address`;

const inOrderOf = ({ tier }: TermMatch, popularity: RawBuilder<unknown>) =>
  sql`order by ${tier}, ${popularity} desc, shown.address ${PAGE}`;

const NO_TERM = sql<null>`null`;

/** Reads every follower: their names are looked up one by one. */
const followersOf = statements((mayBeAddress: boolean) =>
  aboutRef<Params>()(({ kind, ...target }) => {
    const match = matchOf(target.dialect, mayBeAddress);
    return select(
      followerColumns(target, true, NO_TERM),
      sql`from edges ${SOURCE} ${NAMED}
        where edges.target = ${ACCOUNT} and ${isIn(kind === 'list' ? 'visible' : 'follows')} and ${match.any}
        ${inOrderOf(match, sql`edges.popularity`)}`,
    );
  }),
);

const followingOfRef = statements((mayBeAddress: boolean) =>
  aboutRef<Params>()((target) => {
    const match = matchOf(target.dialect, mayBeAddress);
    return select(
      followingColumns(target, true, NO_TERM),
      sql`from records ${NAMED_ACCOUNT} ${NAMED}
        left join leaderboard on leaderboard.account = records.account
        where ${OTHER_RECORDS} and ${IS_FOLLOW} and ${match.any}
        ${inOrderOf(match, sql`coalesce(leaderboard.followers, 0)`)}`,
    );
  }),
);

/** Without a term the page is empty, but an unknown list or name is still a 404. */
function paramsOf({ term, limit, offset }: LeaderboardPage): Params {
  return { term: term.toLowerCase(), limit: term === '' ? 0 : limit, offset };
}

export async function searchFollowers(
  reader: Reader,
  ref: AccountRef,
  page: LeaderboardPage,
): Promise<PageBody<FollowersBody>> {
  const params = paramsOf(page);
  const { rows } = await readAbout(reader, followersOf(isPartOfAddress(params.term)), ref, params);
  return pageBody(rows, (some) => ({ followers: some.map((row) => followerOf(row, true)) }));
}

export async function searchFollowing(
  reader: Reader,
  ref: AccountRef,
  page: LeaderboardPage,
): Promise<PageBody<FollowingBody>> {
  const params = paramsOf(page);
  const { rows } = await readAbout(reader, followingOfRef(isPartOfAddress(params.term)), ref, params);
  return pageBody(rows, (some) => ({ following: some.map((row) => followingOf(row, true)) }));
}
