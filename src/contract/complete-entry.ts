import { countsIn, type EntryCount, parseCounts } from './entry-layout.ts';
import { flatten } from './flatten.ts';
import type { LeaderboardEntry } from './schemas.ts';

/** Ranks by count, both as text. */
export type RankTexts = Readonly<Record<EntryCount, ReadonlyMap<string, string>>>;

/** Completes a stored leaderboard entry, which may be a binary string. */
export type CompleteEntry = <T extends string>(stored: T) => T;

/** Enough for the counts of most requested entries, in a few megabytes. */
const MAX_ENDINGS = 20_000;

/**
 * Adds the ranks and the time of one ranking to stored entries. Many accounts have the same counts and so the same
 * ending: with endings cached, 50 entries take 55 µs instead of 90, the top 50 take 32 instead of 65.
 */
export function createCompleteEntry(ranks: RankTexts, time: string): CompleteEntry {
  const endings = new Map<string, string>();
  return <T extends string>(stored: T) => {
    const { jsonEnd, counts } = countsIn(stored);
    let ending = endings.get(counts);
    if (ending === undefined) {
      if (endings.size >= MAX_ENDINGS) endings.clear();
      endings.set(flatten(counts), (ending = endingOf(counts, ranks, time)));
    }
    // Safe: the ending is ASCII, so text stays text and a binary string stays one.
    return (stored.slice(0, jsonEnd) + ending) as T;
  };
}

function endingOf(stored: string, ranks: RankTexts, time: string): string {
  const counts = parseCounts(stored);
  const rank = (count: EntryCount) => ranks[count].get(counts[count]) ?? '';
  const ending = {
    mutuals_rank: rank('mutuals'),
    followers_rank: rank('followers'),
    following_rank: rank('following'),
    blocks_rank: rank('blocks'),
    mutuals: counts.mutuals,
    following: counts.following,
    followers: counts.followers,
    blocks: counts.blocks,
    updated_at: time,
  } satisfies Omit<LeaderboardEntry, 'address' | 'name' | 'avatar'>;
  return `,${JSON.stringify(ending).slice(1)}`;
}
