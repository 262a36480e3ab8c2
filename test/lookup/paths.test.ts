import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHops, readPath } from '../../src/lookup/edges/paths.ts';
import type { Address } from '../../src/protocol/hex.ts';
import type { Store } from '../../src/store/store.ts';
import { follow, logsOf, ownList, slotOf, tag } from '../model/small-history.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { recordStatements } from './record-statements.ts';

const account = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`;
/** Each account follows those after the arrow. */
const FOLLOWS: readonly (readonly [from: number, to: readonly number[]])[] = [
  // A chain of seven, and an account that follows itself.
  ...[1, 2, 3, 4, 5, 6, 7].map((from) => [from, [from + 1]] as const),
  [9, [9, 1]],
  // Two ways to 24: the first steps have as many followers, the second ones have not.
  [20, [21, 22]],
  [21, [23]],
  [22, [25]],
  [23, [24]],
  [25, [24]],
  [26, [25]],
  // Equal ways to 34, and one over an account with more followers that leads nowhere.
  [30, [32, 31, 33]],
  [31, [34]],
  [32, [34]],
  [35, [33]],
];
const BLOCKS: readonly (readonly [from: number, to: number])[] = [[40, 41]];

describe.each(engines)('paths on $name', (engine) => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await engine.create();
    store = await database.open();
    const bodies = FOLLOWS.flatMap(([from, to]) => [
      ...ownList(account(from), BigInt(from), slotOf(BigInt(from))),
      ...to.map((other) => follow(slotOf(BigInt(from)), account(other))),
    ]);
    const blocks = BLOCKS.flatMap(([from, to]) => {
      const slot = slotOf(BigInt(from));
      return [
        ...ownList(account(from), BigInt(from), slot),
        follow(slot, account(to)),
        tag(slot, account(to), 'block'),
      ];
    });
    await loadLogs(store, logsOf([...bodies, ...blocks]));
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const pathOf = async (from: number, to: number, maxRows?: number) => {
    const { length, path, accounts, isComplete } = await readPath(store.snapshots, account(from), account(to), maxRows);
    expect(accounts.map(({ address }) => address)).toEqual(path);
    expect(length).toBe(path.length === 0 ? null : path.length - 1);
    return { path: path.map(Number), isComplete };
  };
  const found = (...path: number[]) => ({ path, isComplete: true });
  const stepsTo = async (from: number, to: readonly number[], maxRows?: number) => {
    const others = to.map((number) => ({ text: null, address: account(number) }));
    const { hops, isComplete } = await readHops(store.snapshots, account(from), others, maxRows);
    expect(hops.map((hop) => hop?.address)).toEqual(others.map(({ address }) => address));
    return { steps: hops.map((hop) => hop?.steps), isComplete };
  };

  it('have six steps at most', async () => {
    expect(await pathOf(1, 7)).toEqual(found(1, 2, 3, 4, 5, 6, 7));
    expect(await pathOf(1, 8)).toEqual(found());
    expect(await pathOf(8, 1)).toEqual(found());
  });

  it('have no step from an account to itself', async () => {
    expect(await pathOf(9, 9)).toEqual(found(9));
    expect(await pathOf(9, 2)).toEqual(found(9, 1, 2));
  });

  it('are empty for an account that is not in the graph, and 0 to itself', async () => {
    expect(await pathOf(999, 1)).toEqual(found());
    expect(await pathOf(1, 999)).toEqual(found());
    expect(await pathOf(999, 999)).toEqual(found(999));
  });

  it('go over the account with most followers at the first step that differs in them, then by address', async () => {
    expect(await pathOf(20, 24)).toEqual(found(20, 22, 25, 24));
    expect(await pathOf(30, 34)).toEqual(found(30, 31, 34));
  });

  it('are of follows, not of blocks', async () => {
    expect(await pathOf(40, 41)).toEqual(found());
    expect(await stepsTo(40, [41])).toEqual({ steps: [null], isComplete: true });
  });

  it('are not complete if the search would read more rows than it may', async () => {
    expect(await pathOf(1, 5, 3)).toEqual({ path: [], isComplete: false });
    expect(await pathOf(1, 5, 4)).toEqual(found(1, 2, 3, 4, 5));
    // No row leads away from it.
    expect(await pathOf(8, 1, 0)).toEqual(found());
  });

  it('to many accounts are counted up to three steps', async () => {
    expect(await stepsTo(1, [1, 2, 3, 4, 5, 999, 2, 9])).toEqual({
      steps: [0, 1, 2, 3, null, null, 1, null],
      isComplete: true,
    });
    expect(await stepsTo(999, [1, 999])).toEqual({ steps: [null, 0], isComplete: true });
    expect(await stepsTo(1, [])).toEqual({ steps: [], isComplete: true });
  });

  it('to many accounts count the follows of each step from the first one once', async () => {
    const { store: recorded, executed } = recordStatements(store);
    const others = [21, 22, 24, 31, 34].map((number) => ({ text: null, address: account(number) }));
    await readHops(recorded.snapshots, account(1), others);
    expect(executed.filter(({ text }) => text.includes('sum("following")'))).toHaveLength(3);
  });

  it('to many accounts share a bound on the rows', async () => {
    expect(await stepsTo(1, [2, 4], 1)).toEqual({ steps: [1, null], isComplete: false });
  });
});
