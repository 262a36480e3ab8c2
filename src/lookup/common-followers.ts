import { sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { RELATION_CODES } from '../graph/relation.ts';
import type { Address } from '../protocol/hex.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import type { AccountRef } from './account-ref.ts';
import { cardOf, type ReadCards } from './cards.ts';
import type { ConsistentRead } from './consistent-read.ts';
import { ranksOf } from './details.ts';
import { IS_FOLLOW, isOther } from './following.ts';
import { prepareForRef } from './prepare-for-ref.ts';
import { RANKED_AT, type RankBook } from './rank-book.ts';

export interface CommonFollowersOptions {
  readonly reader: Reader;
  readonly rankBook: RankBook;
  readonly readCards: ReadCards;
  readonly consistently: ConsistentRead;
}

export interface CommonFollowersPage {
  readonly leader: Address;
  readonly limit: number;
  readonly offset: number;
}

/** The accounts that an account follows and that follow another one, the leader. */
export function createCommonFollowersLookup(
  options: CommonFollowersOptions,
): (ref: AccountRef, page: CommonFollowersPage) => Promise<BinaryString> {
  const { reader, rankBook, readCards, consistently } = options;
  const find = prepareForRef<CommonFollowersPage, { found: string; ranked_at: number }>(reader, (_db, subject) => {
    // SQLite does not reorder a cross join: an account follows fewer than may follow the leader.
    const common = sql`select records.address, coalesce(mutuals, -1) as mutuals
        from records cross join edges left join leaderboard on leaderboard.address = records.address
        where ${isOther(subject)} and ${IS_FOLLOW}
          and edges.target = ${param('leader')} and edges.address = records.address
          and edges.relation = ${sql.lit(RELATION_CODES.follow)}`;
    const page = sql`select address from common order by mutuals desc, address
        limit ${rowCount('limit')} offset ${rowCount('offset')}`;
    return {
      // As one value, because the page and the number of all are of the same rows.
      found: sql`(with common as materialized (${common}) select '{"length":' || (select count(*) from common)
          || ',"page":' || coalesce((select ${reader.dialect.jsonRows(['address'])} from (${page}) as page), '[]') || '}')`,
      ranked_at: RANKED_AT,
    };
  });
  const read = async (ref: AccountRef, page: CommonFollowersPage) => {
    const { found, ranked_at } = await find(ref, page);
    // Safe: this is how the statement builds it.
    const { length, page: rows } = JSON.parse(found) as { length: number; page: [string][] };
    const cards = await readCards(rows.map(([address]) => address));
    return { rankedAt: ranked_at, found: { length, cards } };
  };
  return async (ref, page) => {
    const { found, ranking } = await rankBook.with(() => consistently(() => read(ref, page)));
    const results = found.cards.map((card) => ({
      ...cardOf(card),
      mutuals_rank: ranksOf(card, ranking.ranks).mutuals_rank,
    }));
    return toBinary(JSON.stringify({ results, length: found.length }));
  };
}
