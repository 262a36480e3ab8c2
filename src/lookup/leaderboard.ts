import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { leaderboardBody } from '../contract/bodies.ts';
import { flatten } from '../contract/flatten.ts';
import { createFinishEntry, type FinishEntry } from '../contract/leaderboard-entry.ts';
import type { Reader } from '../store/store.ts';
import type { Found, Member } from './board.ts';
import type { RankBook, Ranks } from './rank-book.ts';
import { createSearchAtOnce } from './search-at-once.ts';
import { createSearchInSteps } from './search-in-steps.ts';

export interface LeaderboardPage {
  /** Trimmed; empty for the whole leaderboard. */
  readonly term: string;
  readonly limit: number;
  readonly offset: number;
}

/** The leaderboard, or those of its accounts whose name or address holds a term. */
export function createLeaderboardLookup(
  reader: Reader,
  rankBook: RankBook,
): (page: LeaderboardPage) => Promise<BinaryString> {
  const atOnce = createSearchAtOnce(reader);
  const inSteps = reader.sync && createSearchInSteps(reader.sync, reader.dialect.search);

  async function find(page: LeaderboardPage): Promise<{ madeAt: number; found: readonly Found[] }> {
    const stepped = inSteps?.(page);
    if (stepped) return stepped;
    const [time, ...found] = await atOnce(page);
    return { madeAt: Number(time), found };
  }

  let making: Making | undefined;
  return async (asked) => {
    const page = { ...asked, term: asked.term.toLowerCase() };
    const { found, ranks, madeAt } = await rankBook.with(() => find(page));
    if (making?.ranks !== ranks) making = createMaking(ranks, madeAt);
    const { finish, time } = making;
    const entries = found.map((one) => (typeof one === 'string' ? toBinary(finish(one)) : finishMember(one, finish)));
    return leaderboardBody(time, entries);
  };
}

function finishMember(member: Member, finish: FinishEntry): BinaryString {
  if (!member.isFinished) {
    member.entry = flatten(finish(member.entry));
    member.isFinished = true;
  }
  return member.entry;
}

/** What all entries of one making share. */
interface Making {
  readonly ranks: Ranks;
  readonly time: string;
  readonly finish: FinishEntry;
}

function createMaking(ranks: Ranks, madeAt: number): Making {
  const time = new Date(madeAt).toISOString();
  return { ranks, time, finish: createFinishEntry(ranks, time) };
}
