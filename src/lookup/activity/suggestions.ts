import { sql } from 'kysely';
import type { DiscoverBody, RecommendedBody, RecommendedDetailsBody } from '../../contract/lookup-schemas.ts';
import { param, rowCount } from '../../store/params.ts';
import { selectRows, statement, statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { IS_FOLLOW, parseEns } from '../edges/edge-entries.ts';
import { type RankBook, type Ranked, rankedRows, ranksOf, selectRanked } from '../leaderboard/rank-book.ts';
import { isAfter, LATEST, orderBy } from '../order.ts';
import { type EdgeKey, type KeysetParams, keysetParams, PAGE, type Page, type Paged, splitPage } from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, readAbout } from '../refs/account-ref.ts';
import { type CardRow, cardOf, selectCards } from './cards.ts';

/** Bounds a recommendation to 10,000 edges. */
const NEWEST = sql.lit(100);
/** How many of the newest follows of the graph `discover` looks at. */
const LAST_FOLLOWS = sql.lit(1_000);

const ACTIVE_SLOT = sql`(select active_slot from accounts where id = ${ACCOUNT})`;

const recommendedTo = statements((withEns: boolean) =>
  aboutRef<Page, Ranked<CardRow>>(() => {
    const followed = sql`select shown.id, shown.active_slot from records join accounts as shown on shown.id = account
      where slot = ${ACTIVE_SLOT} and account <> ${ACCOUNT} and ${IS_FOLLOW}
      ${orderBy(LATEST)} limit ${NEWEST}`;
    const theirs = sql`select records.account, row_number() over (
        partition by records.slot ${orderBy(LATEST)}) as number
      from followed join records on records.slot = followed.active_slot
      where ${IS_FOLLOW} and records.account <> followed.id`;
    const held = sql`select account from records where slot = ${ACTIVE_SLOT} union select ${ACCOUNT}`;
    const votes = sql`select account, count(*) as votes from (${theirs}) as theirs where number <= ${NEWEST}
      and account not in (select account from held where account is not null) group by account`;
    const voted = sql`select votes.account, row_number() over (
        order by votes desc, coalesce(leaderboard.followers, 0) desc, accounts.address) as position
      from votes join accounts on accounts.id = votes.account
      left join leaderboard on leaderboard.account = votes.account`;
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
    return sql`with followed as (${followed}), held as (${held}), votes as (${votes})
      ${selectRanked(selectCards(page, withEns))}`;
  }),
);

async function findRecommended(reader: Reader, ref: AccountRef, { limit, offset }: Page, withEns: boolean) {
  const { rows } = await readAbout(reader, recommendedTo(withEns), ref, { limit, offset });
  return rankedRows<CardRow>(rows);
}

/** Accounts that the accounts followed by an account follow. */
export async function readRecommended(reader: Reader, ref: AccountRef, page: Page): Promise<RecommendedBody> {
  const { rows } = await findRecommended(reader, ref, page, false);
  return { recommended: rows.map(cardOf) };
}

/** The same with profiles, counts and ranks. */
export async function readRecommendedDetails(
  reader: Reader,
  rankBook: RankBook,
  ref: AccountRef,
  page: Page,
): Promise<RecommendedDetailsBody> {
  const { rows, ranking } = await rankBook.with(reader, () => findRecommended(reader, ref, page, true));
  const recommended = rows.map((card) => ({
    address: card.address,
    ens: parseEns(card.ens, card.address),
    stats: { followers_count: card.followers_now, following_count: card.following_now },
    ranks: ranksOf(ranking, card),
  }));
  return { recommended };
}

interface FollowedRow extends CardRow {
  /** When it was last followed. */
  readonly latest: number;
}

const lastFollowed = statements((isContinued: boolean) =>
  statement<KeysetParams, FollowedRow>((db) => {
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
    return selectRows(db, selectCards(page, false, sql`, page.latest`));
  }),
);

/** Accounts that were followed most recently. */
export async function readDiscover(
  reader: Reader,
  { cursor, ...page }: Page & { readonly cursor: EdgeKey | null },
): Promise<Paged<DiscoverBody>> {
  const rows = await reader.all(lastFollowed(cursor !== null), keysetParams(page, 'latest', cursor));
  const { shown, next } = splitPage(rows, page.limit, ({ latest, address }) => [latest, address]);
  const latestFollows = shown.map((card) => ({
    ...cardOf(card),
    followers: `${card.followers_now}`,
    following: `${card.following_now}`,
  }));
  return { body: { latestFollows }, next };
}
