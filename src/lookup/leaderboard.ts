import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { leaderboardBody } from '../contract/bodies.ts';
import type { CompleteEntry } from '../contract/complete-entry.ts';
import { flatten } from '../contract/flatten.ts';
import type { Reader } from '../store/store.ts';
import type { Found, Member } from './board.ts';
import type { RankBook, Ranking } from './rank-book.ts';
import { createSearchByIndex } from './search-by-index.ts';
import { createSearchBySql } from './search-by-sql.ts';

export interface LeaderboardPage {
  /** Trimmed; empty for the whole leaderboard. */
  readonly term: string;
  readonly limit: number;
  readonly offset: number;
}

/**
 * The leaderboard, or its members whose name or address contains a term. Null unless `mayScan`, if the page is not in
 * the first results of the index: the search may then read a million members.
 */
export function createLeaderboardLookup(
  reader: Reader,
  rankBook: RankBook,
  { mayScan }: { readonly mayScan: boolean },
): (page: LeaderboardPage) => Promise<BinaryString | null> {
  const searchBySql = mayScan ? createSearchBySql(reader) : null;
  const searchByIndex = reader.sync && createSearchByIndex(reader.sync, reader.dialect.search);

  async function find(page: LeaderboardPage, { rankedAt }: Ranking) {
    const indexed = searchByIndex?.(page);
    if (indexed) return indexed;
    if (searchBySql === null) return { rankedAt, found: null };
    const [time, ...found] = await searchBySql(page);
    return { rankedAt: Number(time), found };
  }

  return async (request) => {
    const page = { ...request, term: request.term.toLowerCase() };
    const { found, ranking } = await rankBook.with<readonly Found[] | null>((given) => find(page, given));
    if (found === null) return null;
    const { complete, time } = ranking;
    const entries = found.map((one) =>
      typeof one === 'string' ? toBinary(complete(one)) : completeMember(one, complete),
    );
    return leaderboardBody(time, entries);
  };
}

function completeMember(member: Member, complete: CompleteEntry): BinaryString {
  if (!member.isComplete) {
    member.entry = flatten(complete(member.entry));
    member.isComplete = true;
  }
  return member.entry;
}
