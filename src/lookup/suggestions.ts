import { type Expression, sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { RELATION_CODES } from '../graph/relation.ts';
import { emptyProfile } from '../names/profile.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import type { AccountRef } from './account-ref.ts';
import { cardOf, type RankedCard, type ReadCards } from './cards.ts';
import type { ConsistentRead } from './consistent-read.ts';
import { ranksOf } from './details.ts';
import { IS_FOLLOW, isOther } from './following.ts';
import { givenTexts } from './given-texts.ts';
import { activeSlot, prepareForRef } from './prepare-for-ref.ts';
import { RANKED_AT, type RankBook } from './rank-book.ts';

export interface SuggestionsOptions {
  readonly reader: Reader;
  readonly rankBook: RankBook;
  readonly readCards: ReadCards;
  readonly consistently: ConsistentRead;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

type Lookup = (ref: AccountRef, page: Page) => Promise<BinaryString>;

export interface SuggestionLookups {
  /** Accounts that the accounts followed by an account follow. */
  readonly recommended: Lookup;
  readonly recommendedDetails: Lookup;
  /** Accounts that were followed most recently. */
  readonly discover: (page: Page) => Promise<BinaryString>;
}

/** Bounds a recommendation to 10,000 edges. */
const NEWEST = 100;
/** How many of the newest follows of the graph `discover` looks at. */
const LAST_FOLLOWS = 1_000;

export function createSuggestionLookups(options: SuggestionsOptions): SuggestionLookups {
  const { reader, rankBook, readCards, consistently } = options;
  const findRecommended = createFindRecommended(reader);
  const lastFollowed = reader.prepareColumn<object, string>((db) =>
    db
      .selectFrom('edges')
      .select('target')
      .where('relation', '=', sql.lit(RELATION_CODES.follow))
      .orderBy('time', 'desc')
      .orderBy('target')
      .orderBy('address')
      .limit(sql.lit(LAST_FOLLOWS)),
  );
  const rankedAt = reader.prepareColumn<object, number>((db) => db.selectNoFrom(RANKED_AT.as('ranked_at')));
  const recommend = (ref: AccountRef, page: Page): Promise<RankedCard[]> =>
    consistently(async () => readCards(await findRecommended(ref, page)));

  return {
    async recommended(ref, page) {
      return toBinary(JSON.stringify({ recommended: (await recommend(ref, page)).map(cardOf) }));
    },
    async recommendedDetails(ref, page) {
      const { found, ranking } = await rankBook.with(() =>
        consistently(async () => ({
          found: await readCards(await findRecommended(ref, page), { withEns: true }),
          rankedAt: (await rankedAt({}))[0] ?? 0,
        })),
      );
      const entries = found.map((card) => {
        const stats = { followers_count: card.followers_now, following_count: card.following_now };
        const ens = card.ens ?? emptyProfile(card.address);
        return `{"address":"${card.address}","ens":${ens},"stats":${JSON.stringify(stats)},"ranks":${JSON.stringify(ranksOf(card, ranking.ranks))}}`;
      });
      return toBinary(`{"recommended":[${entries.join(',')}]}`);
    },
    async discover({ limit, offset }) {
      const cards = await consistently(async () => {
        const followed = new Set(await lastFollowed({}));
        return readCards([...followed].slice(offset, offset + limit));
      });
      const latestFollows = cards.map((card) => ({
        ...cardOf(card),
        followers: `${card.followers_now}`,
        following: `${card.following_now}`,
      }));
      return toBinary(JSON.stringify({ latestFollows }));
    },
  };
}

/** Returns the addresses of a page of recommendations. */
function createFindRecommended(reader: Reader): (ref: AccountRef, page: Page) => Promise<string[]> {
  const { dialect } = reader;
  const newest = sql`order by time desc, address limit ${sql.lit(NEWEST)}`;
  const read = prepareForRef<object, { account: string; held: string | null; followed: string | null }>(
    reader,
    (_db, { account }) => {
      const followsOf = (one: Expression<string>) =>
        sql`select address from records where ${isOther({ account: one, slot: activeSlot(one) })} and ${IS_FOLLOW} ${newest}`;
      const theirs = sql`(select ${dialect.jsonRows(['address'])} from (${followsOf(sql.ref('followed.address'))}) as theirs)`;
      return {
        account: sql`${account}`,
        held: sql`(select ${dialect.jsonRows(['address'])} from records where slot = ${activeSlot(account)})`,
        followed: sql`(select ${dialect.jsonRows(['follows'])} from
          (select ${theirs} as follows from (${followsOf(account)}) as followed) as all_follows)`,
      };
    },
  );
  const readPopularity = reader.prepare<{ addresses: string }, { address: string; followers: number }>((db) =>
    db
      .selectFrom(givenTexts(dialect, 'addresses'))
      .innerJoin('leaderboard', 'leaderboard.address', 'given.text')
      .select(['leaderboard.address', 'leaderboard.followers']),
  );
  const byFollowers = reader.prepareColumn<Page & { held: string }, string>((db) =>
    db
      .selectFrom('leaderboard')
      .select('address')
      .where('address', 'not in', dialect.textsOf(param('held')))
      .orderBy('followers', 'desc')
      .orderBy('address')
      .limit(rowCount('limit'))
      .offset(rowCount('offset')),
  );

  return async (ref, { limit, offset }) => {
    const row = await read(ref, {});
    // Safe, here and below: the statement selects these columns.
    const held = new Set([row.account, ...(JSON.parse(row.held ?? '[]') as [string][]).map(([address]) => address)]);
    const votes = new Map<string, number>();
    for (const [follows] of JSON.parse(row.followed ?? '[]') as [string | null][]) {
      for (const [address] of JSON.parse(follows ?? '[]') as [string][]) {
        if (!held.has(address)) votes.set(address, (votes.get(address) ?? 0) + 1);
      }
    }
    if (votes.size === 0) return byFollowers({ limit, offset, held: JSON.stringify([...held]) });
    return pageOf(votes, offset, offset + limit, async (addresses) => {
      const members = await readPopularity({ addresses: JSON.stringify(addresses) });
      return new Map(members.map(({ address, followers }) => [address, followers]));
    });
  };
}

/**
 * Sorts by votes, then followers, then address, and returns the addresses from `start` to `end`. Follower counts are read
 * for those alone whose number of votes is on the page: thousands may have one vote.
 */
async function pageOf(
  votes: ReadonlyMap<string, number>,
  start: number,
  end: number,
  readFollowers: (addresses: readonly string[]) => Promise<ReadonlyMap<string, number>>,
): Promise<string[]> {
  const votesOf = (address: string) => votes.get(address) ?? 0;
  const groups = [...Map.groupBy(votes.keys(), votesOf)].sort(([a], [b]) => b - a).map(([, group]) => group);
  let before = 0;
  const onPage: string[] = [];
  for (const group of groups) {
    if (onPage.length === 0 && before + group.length <= start) before += group.length;
    else if (before + onPage.length < end) onPage.push(...group);
  }
  const followers = await readFollowers(onPage);
  const followersOf = (address: string) => followers.get(address) ?? 0;
  onPage.sort((a, b) => votesOf(b) - votesOf(a) || followersOf(b) - followersOf(a) || (a < b ? -1 : 1));
  return onPage.slice(start - before, end - before);
}
