import { describe, expect, it } from 'vitest';
import { rebuildGraph } from '../../src/ingest/rebuild/rebuild-graph.ts';
import { computeRanks } from '../../src/ranks/update-ranks.ts';
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
    const [state] = await store.transaction((tx) => tx.read('state', ['key'], [['ranked_at']]));
    return state?.value ?? 0;
  };
  /** The popularity of each follower of an account in a table. */
  const popularityIn = (store: Store, table: 'edges' | 'edge_tags', target: string) =>
    store.transaction(async (tx) => {
      const rows = await tx.query((db) =>
        db
          .selectFrom(table)
          .innerJoin('accounts as targets', `targets.id`, `${table}.target`)
          .innerJoin('accounts as sources', `sources.id`, `${table}.source`)
          .select(['sources.address', 'popularity'])
          .where('targets.address', '=', target),
      );
      return Object.fromEntries(rows.map(({ address, popularity }) => [address, popularity]));
    });
  const popularityOf = (store: Store, target: string) => popularityIn(store, 'edges', target);

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
    expect(await popularityIn(store, 'edge_tags', DAN)).toEqual({ [BOB]: 2 });
    await loadLogs(store, logsOf([...more, unfollow(CATS, BOB), unfollow(ANNS, BOB)]));
    await loadRanks(store, 3_000);
    expect(await popularityOf(store, DAN)).toEqual({ [BOB]: 0, [CAT]: 0 });
  });
});
