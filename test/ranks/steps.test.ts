import { describe, expect, it } from 'vitest';
import { computeRanks, updateRanks, updateStaleRanks, writeNextRows } from '../../src/ranks/update-ranks.ts';
import { findStaleRanks } from '../../src/store/state.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import {
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CATS,
  catsList,
  DAN,
  follow,
  logsOf,
  tag,
} from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { dump } from '../support/dump.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks, loadTinyDemo } from '../support/load.ts';

const others = Array.from({ length: 12 }, (_, i) => `0x${(i + 16).toString(16).repeat(20)}` as const);
/** Bob follows many, so that a new follower of his changes the popularity of as many edges. */
const HISTORY = [
  ...annsList,
  ...bobsList,
  ...catsList,
  ...others.map((other) => follow(BOBS, other)),
  ...others.map((other) => tag(BOBS, other, 'friend')),
  follow(CATS, DAN),
];
const CHANGED = [...HISTORY, follow(ANNS, BOB)];

describe.each(engines)('a ranking on $name', (engine) => {
  const own = useOwnDatabase(engine);

  async function openChanged(): Promise<Store> {
    const store = await own.open();
    await loadLogs(store, logsOf(HISTORY));
    await loadRanks(store, 1_000);
    await loadLogs(store, logsOf(CHANGED));
    return store;
  }
  const membersOf = async (store: Store) => (await dump(store)).leaderboard?.length ?? 0;
  /** The popularity of the edges of Bob, each once. */
  const popularities = (store: Store) =>
    store.transaction(async (tx) => {
      const rows = await tx.query((db) =>
        db
          .selectFrom('edges')
          .innerJoin('accounts', 'accounts.id', 'source')
          .select(['popularity'])
          .where('address', '=', BOB),
      );
      return rows.map(({ popularity }) => popularity).sort();
    });
  const step = (store: Store) => store.transaction((tx) => writeNextRows(tx, 5));

  it('begins no transaction if nothing has changed', async () => {
    const store = await openChanged();
    await updateRanks(store.transaction, 2_000);
    const transaction = () => Promise.reject(new Error('a transaction was begun'));
    expect(await updateStaleRanks({ reader: store.reader, transaction }, 3_000)).toBe(false);
  });

  it('reads and writes rows of the accounts that have changed alone, whatever the size of the graph', async () => {
    const store = await own.open();
    await loadTinyDemo(store);
    await store.transaction((tx) => tx.upsert('state', [{ key: 'is_demo', value: 0 }]));
    await loadLogs(store, logsOf([...annsList, ...bobsList]));
    await loadRanks(store, 1_000);
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    const rows: number[] = [];
    await store.transaction((tx) => computeRanks(counting(tx, rows), 2_000));
    expect(rows.length).toBeGreaterThan(0);
    // Two accounts, each with a count that it had and one that it has.
    expect(Math.max(...rows)).toBeLessThanOrEqual(4);
  });

  it('shows the new counts at once, and writes the popularity of a bounded number of edges in each transaction', async () => {
    const store = await openChanged();
    await store.transaction((tx) => computeRanks(tx, 2_000));
    const seen: number[] = [];
    const more = async () => {
      const has = await step(store);
      seen.push((await popularities(store)).filter((popularity) => popularity === 1).length);
      return has;
    };
    while (await more());
    const growth = seen.map((count, i) => count - (seen[i - 1] ?? 0));
    expect(Math.max(...growth)).toBe(5);
    expect(seen.at(-1)).toBe(others.length);
  });

  it('ranks a part of many accounts in each transaction, and goes on after a crash between two of them', async () => {
    const many = Array.from({ length: 900 }, (_, i) => `0x${(i + 8_192).toString(16).repeat(10)}` as const);
    const history = [...CHANGED, ...many.map((other) => follow(ANNS, other))];
    const store = await openChanged();
    await loadLogs(store, logsOf(history));
    const before = await membersOf(store);
    await store.transaction((tx) => computeRanks(tx, 2_000));
    const first = (await membersOf(store)) - before;
    expect(first).toBeGreaterThan(300);
    expect(first).toBeLessThanOrEqual(400);
    const again = await own.open();
    await updateStaleRanks(again, 3_000);
    // Ann joined with her first follow.
    expect((await membersOf(again)) - before).toBe(many.length + 1);
    expect(await findStaleRanks(again.reader)).toBeNull();
    const expected = await (await own.another()).open();
    await loadLogs(expected, logsOf(history));
    await loadRanks(expected, 1_000);
    const { ranked_counts, leaderboard } = await dump(expected);
    await expected.close();
    expect(await dump(again)).toMatchObject({ ranked_counts, leaderboard });
  });

  it('is finished after a crash between two of its transactions', async () => {
    const store = await openChanged();
    await store.transaction((tx) => computeRanks(tx, 2_000));
    while ((await popularities(store)).at(-1) === 0) await step(store);
    expect(new Set(await popularities(store)).size).toBe(2);
    const again = await own.open();
    expect(await findStaleRanks(again.reader)).not.toBeNull();
    await updateStaleRanks(again, 3_000);
    expect(await findStaleRanks(again.reader)).toBeNull();
    expect(new Set(await popularities(again))).toEqual(new Set([1]));
    const expected = await (await own.another()).open();
    await loadLogs(expected, logsOf(CHANGED));
    await loadRanks(expected, 1_000);
    const rows = await dump(expected);
    await expected.close();
    expect(await dump(again)).toEqual(rows);
  });

  it('writes edges that change between two of its transactions with the popularity of the ranking', async () => {
    const store = await openChanged();
    await store.transaction((tx) => computeRanks(tx, 2_000));
    while ((await popularities(store)).at(-1) === 0) await step(store);
    await loadLogs(store, logsOf([...CHANGED, tag(BOBS, others[0] ?? DAN, 'top8'), follow(BOBS, DAN)]));
    while (await step(store));
    expect(new Set(await popularities(store))).toEqual(new Set([1]));
  });
});

/** Collects how many rows each call reads, or is given to write. */
function counting(tx: Transaction, rows: number[]): Transaction {
  const methods = ['read', 'readBy', 'query', 'insert', 'insertNew', 'upsert', 'patch', 'remove'] as const;
  const counted = Object.fromEntries(
    methods.map((method) => [
      method,
      async (...args: unknown[]) => {
        const result: unknown = await (tx[method] as (...given: unknown[]) => unknown)(...args);
        for (const counted of [result, args.at(-1)]) if (Array.isArray(counted)) rows.push(counted.length);
        return result;
      },
    ]),
  );
  return { ...tx, ...counted };
}
