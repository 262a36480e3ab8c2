import { describe, expect, it } from 'vitest';
import { RankBook } from '../../src/lookup/leaderboard/rank-book.ts';
import { readLeaderboard } from '../../src/lookup/leaderboard/search.ts';
import { createMemberIndex } from '../../src/lookup/search/member-index.ts';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, DAN, follow, logsOf, unfollow } from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';

const HISTORY = [...annsList, ...bobsList, follow(ANNS, BOB)];

describe.each(engines)('the rank book on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  const readRankedAt = async (store: Store) => {
    const [state] = await store.transaction((tx) => tx.read('state', ['key'], [['ranked_at']]));
    return state?.value ?? 0;
  };

  it('reads the rows again when a ranking is committed between the rows and the ranks', async () => {
    const store = await own.open();
    await loadLogs(store, logsOf(HISTORY));
    await loadRanks(store, 1_000);
    const times: number[] = [];
    const { ranking } = await new RankBook().with(store.reader, async () => {
      const rankedAt = await readRankedAt(store);
      times.push(rankedAt);
      if (times.length === 1) {
        await loadLogs(store, logsOf([...HISTORY, follow(BOBS, ANN), follow(BOBS, DAN)]));
        await loadRanks(store, 2_000);
      }
      return { rankedAt };
    });
    expect(times).toEqual([1_000, 2_000]);
    expect(ranking.time).toBe(new Date(2_000).toISOString());
    expect([2, 1, 0].map((count) => ranking.rank('following', count))).toEqual(['1', '2', '3']);
  });

  it('keeps the ranks of the rows when another request reads those of a later ranking meanwhile, again and again', async () => {
    const store = await own.open();
    await loadLogs(store, logsOf(HISTORY));
    await loadRanks(store, 1_000);
    const rankBook = new RankBook();
    const times: number[] = [];
    const { ranking } = await rankBook.with(store.reader, async () => {
      const rankedAt = await readRankedAt(store);
      times.push(rankedAt);
      const changes = times.map((_, i) => (i % 2 === 0 ? follow : unfollow)(BOBS, ANN));
      await loadLogs(store, logsOf([...HISTORY, ...changes]));
      await loadRanks(store, 1_000 + times.length);
      await rankBook.with(store.reader, async () => ({ rankedAt: await readRankedAt(store) }));
      return { rankedAt };
    });
    expect(times).toEqual([1_000, 1_001]);
    expect(ranking.rankedAt).toBe(1_001);
  });

  it('shows a ranking that a clock which was ahead has made as of now', async () => {
    const store = await own.open();
    await loadLogs(store, logsOf(HISTORY));
    await loadRanks(store, 9_000);
    const rankedAt = await readRankedAt(store);
    const { ranking } = await new RankBook(() => 5_000).with(store.reader, async () => ({ rankedAt }));
    expect(ranking.time).toBe(new Date(5_000).toISOString());
  });

  it('has no ranks for an empty leaderboard', async () => {
    const store = await own.open();
    const rankBook = new RankBook();
    const empty = { last_updated: '1970-01-01T00:00:00.000Z', results: [] };
    const members = createMemberIndex(store);
    for (const term of ['', 'a', 'nobody']) {
      const page = { term, limit: 10, offset: 0, guess: false };
      const { length, part } = await readLeaderboard(store.reader, rankBook, members, page);
      expect([length, part(0, 10)]).toEqual([0, empty]);
    }
  });
});
