import { describe, expect, it } from 'vitest';
import { finishMigration } from '../../src/ingest/rebuild/finish-migration.ts';
import { rebuildGraph } from '../../src/ingest/rebuild/rebuild-graph.ts';
import { createLeaderboardLookup } from '../../src/lookup/leaderboard.ts';
import { createRankBook } from '../../src/lookup/rank-book.ts';
import { computeRanks } from '../../src/ranks/compute-ranks.ts';
import { changeLeaderboard } from '../../src/rows/leaderboard-rows.ts';
import type { Store } from '../../src/store/store.ts';
import {
  ANN,
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CAT,
  CATS,
  catsList,
  DAN,
  follow,
  logsOf,
  tag,
  unfollow,
} from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { queryDatabase, UNDO_ACCOUNTS_OF_LISTS } from '../store/query-database.ts';
import { dump } from '../support/dump.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';

const HISTORY = [...annsList, ...bobsList, ...catsList, follow(ANNS, BOB)];

describe.each(engines)('ranking on $name', (engine) => {
  const own = useOwnDatabase(engine);

  /** Ann follows Bob. */
  async function openRanked(): Promise<Store> {
    const store = await own.open();
    await loadLogs(store, logsOf(HISTORY));
    await loadRanks(store, 1_000);
    return store;
  }
  const rankedAt = async (store: Store) => {
    const [state] = await store.transaction((tx) => tx.read('state', ['key'], [['ranks_made_at']]));
    return state?.value ?? 0;
  };
  /** The popularity of each follower of an account, in both tables. */
  const popularityOf = (store: Store, target: string) =>
    store.transaction(async (tx) => {
      const followers = await tx.read('edges', ['target'], [[target]]);
      const tags = await tx.read('edge_tags', ['target'], [[target]]);
      const rows = [...followers, ...tags].map(({ address, popularity }) => [address, popularity] as const);
      return Object.fromEntries(rows);
    });

  it('gives each ranking a later time than the last, whatever the clock says', async () => {
    const store = await openRanked();
    await loadLogs(store, logsOf([...HISTORY, follow(BOBS, ANN)]));
    await loadRanks(store, 500);
    expect(await rankedAt(store)).toBe(1_001);
  });

  it('does nothing if the graph has not changed', async () => {
    const store = await openRanked();
    expect(await store.transaction((tx) => computeRanks(tx, 2_000))).toBeNull();
    expect(await rankedAt(store)).toBe(1_000);
  });

  it('does nothing while logs wait for a bulk fold', async () => {
    const store = await openRanked();
    await loadLogs(store, logsOf([...HISTORY, follow(BOBS, ANN)]));
    await store.transaction((tx) => tx.count({ unfolded_logs: 1 }));
    expect(await store.transaction((tx) => computeRanks(tx, 2_000))).toBeNull();
    await store.transaction((tx) => rebuildGraph(tx, 3_000));
    expect(await rankedAt(store)).toBe(3_000);
  });

  it('returns the accounts that are new on the leaderboard', async () => {
    const store = await openRanked();
    await loadLogs(store, logsOf([...HISTORY, follow(BOBS, ANN), follow(BOBS, DAN)]));
    expect(await store.transaction((tx) => computeRanks(tx, 2_000))).toEqual([DAN]);
  });

  it('writes the new follower counts into follower rows and tag rows', async () => {
    const store = await openRanked();
    const more = [...HISTORY, follow(BOBS, DAN), tag(BOBS, DAN, 'friend'), follow(CATS, BOB), follow(CATS, DAN)];
    await loadLogs(store, logsOf(more));
    // Bob had one follower at the last ranking and has two now.
    expect(await popularityOf(store, DAN)).toEqual({ [BOB]: 1, [CAT]: 0 });
    await loadRanks(store, 2_000);
    expect(await popularityOf(store, DAN)).toEqual({ [BOB]: 2, [CAT]: 0 });
    const tags = await store.transaction((tx) => tx.read('edge_tags', ['target'], [[DAN]]));
    expect(tags).toMatchObject([{ address: BOB, tag: 'friend', popularity: 2 }]);
    await loadLogs(store, logsOf([...more, unfollow(CATS, BOB), unfollow(ANNS, BOB)]));
    await loadRanks(store, 3_000);
    expect(await popularityOf(store, DAN)).toEqual({ [BOB]: 0, [CAT]: 0 });
  });

  it('recomputes ranks that a migration has invalidated, and does so once', async () => {
    const store = await openRanked();
    const before = await dump(store);
    await store.transaction(async (tx) => {
      await tx.execute((db) => db.deleteFrom('ranks'));
      const members = await tx.query((db) => db.selectFrom('leaderboard').selectAll());
      await changeLeaderboard(
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
    expect(await rankedAt(store)).toBe(3_000);
  });

  it('ranks the database of an earlier version again, and indexes it with the current grams', async () => {
    const store = await openRanked();
    const before = await dump(store);
    for (const text of [
      ...UNDO_ACCOUNTS_OF_LISTS,
      "delete from kysely_migration where name = '005-longer-grams'",
      "delete from state where key = 'board_version'",
      'delete from leaderboard_grams',
    ]) {
      await queryDatabase(own.database, text);
    }
    const upgraded = await own.open();
    expect((await dump(upgraded)).leaderboard).toEqual([]);
    await finishMigration(upgraded, 3_000);
    expect(await dump(upgraded)).toEqual(before);
    const search = createLeaderboardLookup(upgraded.reader, createRankBook(upgraded.reader), { mayScan: true });
    const { results } = JSON.parse((await search({ term: BOB.slice(0, 9), limit: 10, offset: 0 })) ?? '');
    expect(results).toMatchObject([{ address: BOB, followers: '1' }]);
  });
});
