import { describe, expect, it } from 'vitest';
import { createLeaderboardLookup } from '../../src/lookup/leaderboard.ts';
import { createRankBook } from '../../src/lookup/rank-book.ts';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, DAN, follow, logsOf } from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';

const HISTORY = [...annsList, ...bobsList, follow(ANNS, BOB)];

describe.each(engines)('the rank book on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  const readRankedAt = async (store: Store) => {
    const [state] = await store.transaction((tx) => tx.read('state', ['key'], [['ranks_made_at']]));
    return state?.value ?? 0;
  };

  it('reads again when a ranking is committed between the ranks and the rows', async () => {
    const store = await own.open();
    await loadLogs(store, logsOf(HISTORY));
    await loadRanks(store, 1_000);
    const book = createRankBook(store.reader);
    const times: number[] = [];
    const { ranking } = await book.with(async () => {
      if (times.length === 0) {
        await loadLogs(store, logsOf([...HISTORY, follow(BOBS, ANN), follow(BOBS, DAN)]));
        await loadRanks(store, 2_000);
      }
      const time = await readRankedAt(store);
      times.push(time);
      return { rankedAt: time, found: null };
    });
    expect(times).toEqual([2_000, 2_000]);
    expect(ranking.time).toBe(new Date(2_000).toISOString());
    expect(Object.fromEntries(ranking.ranks.following)).toEqual({ 2: '1', 1: '2', 0: '3' });
  });

  it('has no ranks for an empty leaderboard', async () => {
    const store = await own.open();
    const search = createLeaderboardLookup(store.reader, createRankBook(store.reader), { mayScan: true });
    const empty = { last_updated: '1970-01-01T00:00:00.000Z', results: [] };
    for (const term of ['', 'a', 'nobody']) {
      expect(JSON.parse((await search({ term, limit: 10, offset: 0 })) ?? '')).toEqual(empty);
    }
  });
});
