import { type RawBuilder, sql } from 'kysely';
import type {
  Card,
  CommonFollowersBody,
  DiscoverBody,
  RecommendedBody,
  RecommendedDetailsBody,
} from '../../contract/lookup-schemas.ts';
import { RELATION_CODES } from '../../graph/relation.ts';
import { ensOf } from '../../names/profile.ts';
import type { Address } from '../../protocol/hex.ts';
import { param, rowCount } from '../../store/params.ts';
import {
  type Columns,
  columns,
  optional,
  type RowOf,
  type Select,
  select,
  statement,
  statements,
} from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { IS_FOLLOW, OTHER_RECORDS } from '../edges/edge-lists.ts';
import { countsIn, RANKED, type RankBook, ranksOfAccount } from '../leaderboard/rank-book.ts';
import {
  type EdgeKey,
  END,
  isAfter,
  KEEP_ORDER,
  type KeysetParams,
  keysetParams,
  LATEST,
  orderBy,
  PAGE,
  type Page,
  type PageBody,
  type Paged,
  pageBody,
  splitPage,
} from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, readAbout } from '../refs/account-ref.ts';

const accounts = columns('accounts');
const { name, avatar, header, ens } = optional('profiles');
/** Null outside the leaderboard. */
const leaderboard = optional('leaderboard');

/** What lookups of several accounts show of each. */
const CARD = { address: accounts.address, name, avatar, header };
type CardRow = RowOf<typeof CARD>;
/** Current counts. */
const COUNTS_NOW = { followers_now: accounts.followers, following_now: accounts.following };

/** Selects `columns` of accounts. `page` selects their ids as `account`, and `position` in their order. */
function selectCards<C extends Columns>(columns: C, page: RawBuilder<unknown>): Select<RowOf<C>> {
  return select(
    columns,
    sql`from (${page}) as page join accounts on accounts.id = page.account
      left join profiles on profiles.address = accounts.address
      left join leaderboard on leaderboard.account = page.account order by page.position ${KEEP_ORDER}`,
  );
}

function cardOf({ address, name, avatar, header }: CardRow): Card {
  return { address, name: name ?? '', avatar: avatar ?? '', header: header ?? '' };
}

export interface CommonFollowersPage extends Page {
  readonly leader: Address;
}

const FOLLOW = sql.lit(RELATION_CODES.follow);

const commonOf = aboutRef<CommonFollowersPage>()(() => {
  const leader = sql`(select id from accounts where address = ${param('leader')})`;
  // An account follows fewer than may follow the leader.
  const common = sql`select records.account, coalesce(leaderboard.mutuals, -1) as mutuals, followed.address
    from records join accounts as followed on followed.id = records.account
    join records as theirs on theirs.slot = followed.active_slot and theirs.account = ${leader}
    left join leaderboard on leaderboard.account = records.account
    where ${OTHER_RECORDS} and records.relation = ${FOLLOW} and theirs.relation = ${FOLLOW}
      and records.account <> ${leader}`;
  const page = sql`select account, row_number() over (order by mutuals desc, address) as position from common
    order by mutuals desc, address ${PAGE}`;
  return {
    ...selectCards({ ...CARD, mutuals: leaderboard.mutuals }, page),
    facts: { ...RANKED, length: sql<number>`(select count(*) from common)` },
    queries: { common },
  };
});

/** The accounts that an account follows and that follow another one, the leader. */
export async function readCommonFollowers(
  reader: Reader,
  rankBook: RankBook,
  ref: AccountRef,
  { leader, limit, offset }: CommonFollowersPage,
): Promise<PageBody<CommonFollowersBody>> {
  const { referent, rows, ranking } = await rankBook.with(reader, async () => {
    const found = await readAbout(reader, commonOf, ref, { leader, limit, offset });
    return { ...found, rankedAt: found.referent.ranked_at };
  });
  return pageBody(rows, (some) => ({
    results: some.map((card) => ({ ...cardOf(card), mutuals_rank: ranking.rank('mutuals', card.mutuals) })),
    length: referent.length,
  }));
}

/** Bounds a recommendation to 10,000 edges. */
const NEWEST = sql.lit(100);
const LAST = sql.lit(99);
/** How many of the newest follows of the graph `discover` looks at. */
const LAST_FOLLOWS = sql.lit(1_000);

const ACTIVE_SLOT = sql`(select active_slot from accounts where id = ${ACCOUNT})`;

const recommendedTo = <C extends Columns>(columns: C) =>
  aboutRef<Page>()(() => {
    const followed = sql`select shown.id, shown.active_slot from records join accounts as shown on shown.id = account
      where slot = ${ACTIVE_SLOT} and account <> ${ACCOUNT} and ${IS_FOLLOW}
      ${orderBy(LATEST)} limit ${NEWEST}`;
    const theirs = (from: RawBuilder<unknown>) => sql`from ${from} where records.slot = followed.active_slot
      and ${IS_FOLLOW} and records.account <> followed.id`;
    // Found first, because those of an account that follows thousands would all be sorted.
    const since = sql`coalesce((select time ${theirs(sql`records`)} order by time desc limit 1 offset ${LAST}), 0)`;
    const newest = sql`select records.account, row_number() over (
        partition by records.slot ${orderBy(LATEST)}) as number
      ${theirs(sql`followed cross join records`)} and records.time >= ${since}`;
    const held = sql`select account from records where slot = ${ACTIVE_SLOT} union select ${ACCOUNT}`;
    const votes = sql`select account, count(*) as votes from (${newest}) as newest where number <= ${NEWEST}
      and account not in (select account from held where account is not null) group by account`;
    const voted = sql`select votes.account, row_number() over (
        order by votes desc, coalesce(leaderboard.followers, 0) desc, accounts.address) as position
      from votes join accounts on accounts.id = votes.account
      left join leaderboard on leaderboard.account = votes.account
      where votes >= coalesce((select votes from votes order by votes desc limit 1 offset ${END}), 0)`;
    // As a limit, because a condition would be evaluated for each row of the leaderboard.
    const limitWithoutVotes = sql`(case when exists (select 1 from votes) then 0 else ${rowCount('limit')} end)`;
    const byFollowers = sql`select leaderboard.account, row_number() over (
        order by leaderboard.followers desc, leaderboard.address_key) as position
      from (select account from leaderboard
        where not exists (select 1 from held where held.account = leaderboard.account)
        order by followers desc, address_key
        limit ${limitWithoutVotes} offset ${rowCount('offset')}) as page
      join leaderboard on leaderboard.account = page.account`;
    const page = sql`select * from (select * from (${voted}) as voted order by position ${PAGE}) as voted
      union all select * from (${byFollowers}) as others`;
    return { ...selectCards(columns, page), facts: RANKED, queries: { followed, held, votes } };
  });
const recommendedCards = recommendedTo(CARD);
const recommendedDetails = recommendedTo({ address: accounts.address, ens, ...countsIn(leaderboard), ...COUNTS_NOW });

/** Accounts that the accounts followed by an account follow. */
export async function readRecommended(reader: Reader, ref: AccountRef, page: Page): Promise<PageBody<RecommendedBody>> {
  const { rows } = await readAbout(reader, recommendedCards, ref, page);
  return pageBody(rows, (some) => ({ recommended: some.map(cardOf) }));
}

/** The same with profiles, counts and ranks. */
export async function readRecommendedDetails(
  reader: Reader,
  rankBook: RankBook,
  ref: AccountRef,
  page: Page,
): Promise<PageBody<RecommendedDetailsBody>> {
  const { rows, ranking } = await rankBook.with(reader, async () => {
    const found = await readAbout(reader, recommendedDetails, ref, page);
    return { ...found, rankedAt: found.referent.ranked_at };
  });
  const detailsOf = (card: (typeof rows)[number]) => ({
    address: card.address,
    ens: ensOf(card.ens, card.address),
    stats: { followers_count: card.followers_now, following_count: card.following_now },
    ranks: ranksOfAccount(ranking, card),
  });
  return pageBody(rows, (some) => ({ recommended: some.map(detailsOf) }));
}

const lastFollowed = statements((isContinued: boolean) =>
  statement<KeysetParams>()(() => {
    const last = sql`select target, time, (select address from accounts where accounts.id = target) as address
      from edges where ${IS_FOLLOW} order by time desc, address limit ${LAST_FOLLOWS}`;
    const order = [
      [sql`max(time)`, 'desc'],
      [sql`address`, 'asc'],
    ] as const;
    const after = isAfter(order, [param('after_term'), param('after_address')]);
    const page = sql`select target as account, max(time) as latest,
        row_number() over (order by max(time) desc, address) as position
      from (${last}) as newest group by target, address ${isContinued ? sql`having ${after}` : sql``}
      order by position ${PAGE}`;
    return selectCards({ ...CARD, ...COUNTS_NOW, latest: sql<number>`page.latest` }, page).query;
  }),
);

/** Accounts that were followed most recently. */
export async function readDiscover(
  reader: Reader,
  { cursor, ...page }: Page & { readonly cursor: EdgeKey | null },
): Promise<Paged<DiscoverBody>> {
  const rows = await reader.all(lastFollowed(cursor !== null), keysetParams(page, 'latest', cursor));
  const { shown, next } = splitPage(rows, page.limit, ({ latest, address }) => [latest, address]);
  const entryOf = (card: (typeof rows)[number]) => ({
    ...cardOf(card),
    followers: `${card.followers_now}`,
    following: `${card.following_now}`,
  });
  return { body: pageBody(shown, (some) => ({ latestFollows: some.map(entryOf) })), next };
}
