import { describe, expect, it } from 'vitest';
import { finishMigration } from '../../src/ingest/rebuild/finish-migration.ts';
import { createLeaderboardLookup } from '../../src/lookup/leaderboard.ts';
import { createRankBook } from '../../src/lookup/rank-book.ts';
import { changeBoard } from '../../src/rows/leaderboard-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, DAN, follow, logsOf } from '../model/small-history.ts';
import { queryFromOutside, UNDO_ACCOUNTS_OF_LISTS } from '../store/from-outside.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { dump } from '../support/dump.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';

const HISTORY = [...annsList, ...bobsList, follow(ANNS, BOB)];

describe.each(engines)('ranks on $name', (engine) => {
  const own = useOwnDatabase(engine);

  /** ANN follows BOB. */
  async function openRanked(): Promise<Store> {
    const store = await own.open();
    await loadLogs(store, logsOf(HISTORY));
    await loadRanks(store, 1_000);
    return store;
  }
  const madeAtOf = async (store: Store) => {
    const [state] = await store.transaction((tx) => tx.read('state', ['key'], [['ranks_made_at']]));
    return state?.value ?? 0;
  };

  it('are those of the very making that an answer belongs to, also when they are made again meanwhile', async () => {
    const store = await openRanked();
    const book = createRankBook(store.reader);
    const found: number[] = [];
    const { madeAt, ranks } = await book.with(async () => {
      const before = await madeAtOf(store);
      found.push(before);
      if (found.length === 1) {
        await loadLogs(store, logsOf([...HISTORY, follow(BOBS, ANN), follow(BOBS, DAN)]));
        await loadRanks(store, 2_000);
      }
      return { madeAt: before, found: null };
    });
    expect(found).toEqual([1_000, 2_000]);
    expect(madeAt).toBe(2_000);
    expect(Object.fromEntries(ranks.following)).toEqual({ 2: '1', 1: '2', 0: '3' });
  });

  it('have a time of their own, whatever the clock says', async () => {
    const store = await openRanked();
    await loadLogs(store, logsOf([...HISTORY, follow(BOBS, ANN)]));
    await loadRanks(store, 500);
    expect(await madeAtOf(store)).toBe(1_001);
  });

  it('that a migration has left to be made are made when the database is opened, and once', async () => {
    const store = await openRanked();
    const before = await dump(store);
    await store.transaction(async (tx) => {
      await tx.execute((db) => db.deleteFrom('ranks'));
      const members = await tx.query((db) => db.selectFrom('leaderboard').selectAll());
      await changeBoard(
        tx,
        members.map(({ place }) => place),
        () => tx.remove('leaderboard', members),
      );
      await tx.upsert('state', [
        { key: 'ranks_graph_version', value: -1 },
        { key: 'ranked', value: 0 },
      ]);
    });
    await finishMigration(store, 3_000);
    expect(await dump(store)).toEqual(before);
    await finishMigration(store, 4_000);
    expect(await madeAtOf(store)).toBe(3_000);
  });

  it('are made anew from a database of an earlier version, and searched by what is looked for now', async () => {
    const store = await openRanked();
    const before = await dump(store);
    for (const text of [
      ...UNDO_ACCOUNTS_OF_LISTS,
      "delete from kysely_migration where name = '005-longer-grams'",
      "delete from state where key = 'board_version'",
      'delete from leaderboard_grams',
    ]) {
      await queryFromOutside(own.database, text);
    }
    const upgraded = await own.open();
    expect((await dump(upgraded)).leaderboard).toEqual([]);
    await finishMigration(upgraded, 3_000);
    expect(await dump(upgraded)).toEqual(before);
    const search = createLeaderboardLookup(upgraded.reader, createRankBook(upgraded.reader));
    const { results } = JSON.parse(await search({ term: BOB.slice(0, 9), limit: 10, offset: 0 }));
    expect(results).toMatchObject([{ address: BOB, followers: '1' }]);
  });

  it('of nobody are none', async () => {
    const store = await own.open();
    const search = createLeaderboardLookup(store.reader, createRankBook(store.reader));
    const nobody = { last_updated: '1970-01-01T00:00:00.000Z', results: [] };
    for (const term of ['', 'a', 'nobody']) {
      expect(JSON.parse(await search({ term, limit: 10, offset: 0 }))).toEqual(nobody);
    }
  });
});
