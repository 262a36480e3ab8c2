import { describe, expect, it } from 'vitest';
import { bestPath, type Rated } from '../../src/graph/best-path.ts';

const START = 1;
const END = 9;

/** Followers by id; the address of an account is its id unless it is given. */
const rated = (followers: Readonly<Record<number, number>>, addresses: Readonly<Record<number, string>> = {}) =>
  new Map<number, Rated>(
    Object.entries(followers).map(([id, count]) => [
      Number(id),
      { followers: count, address: addresses[Number(id)] ?? id },
    ]),
  );

describe('bestPath', () => {
  it.each([
    ['takes the only path', [[1, [9]]], {}, {}, [1, 9]],
    [
      'takes the first step with most followers',
      [
        [1, [2, 3]],
        [2, [9]],
        [3, [9]],
      ],
      { 2: 5, 3: 6 },
      {},
      [1, 3, 9],
    ],
    [
      'takes the second step with most followers after equal first ones',
      [
        [1, [2, 3]],
        [2, [4]],
        [3, [5]],
        [4, [9]],
        [5, [9]],
      ],
      { 2: 5, 3: 5, 4: 1, 5: 2 },
      {},
      [1, 3, 5, 9],
    ],
    [
      'decides by the first step, whatever follows',
      [
        [1, [2, 3]],
        [2, [4]],
        [3, [5]],
        [4, [9]],
        [5, [9]],
      ],
      { 2: 6, 3: 5, 4: 0, 5: 100 },
      {},
      [1, 2, 4, 9],
    ],
    [
      'decides by the followers of later steps before the addresses of earlier ones',
      [
        [1, [2, 3]],
        [2, [4]],
        [3, [5]],
        [4, [9]],
        [5, [9]],
      ],
      { 2: 5, 3: 5, 4: 1, 5: 2 },
      { 2: 'a', 3: 'b' },
      [1, 3, 5, 9],
    ],
    [
      'decides by address between equal paths, the first step first',
      [
        [1, [2, 3]],
        [2, [4]],
        [3, [5]],
        [4, [9]],
        [5, [9]],
      ],
      { 2: 5, 3: 5, 4: 1, 5: 1 },
      { 2: 'b', 3: 'a', 4: 'a', 5: 'b' },
      [1, 3, 5, 9],
    ],
    [
      'decides by the address of the second step after one first step',
      [
        [1, [2]],
        [2, [4, 5]],
        [4, [9]],
        [5, [9]],
      ],
      { 2: 5, 4: 1, 5: 1 },
      { 4: 'b', 5: 'a' },
      [1, 2, 5, 9],
    ],
  ] as const)('%s', (_, next, followers, addresses, path) => {
    const steps = new Map<number, readonly number[]>(next);
    expect(bestPath(START, END, steps, rated({ 1: 0, 9: 0, ...followers }, addresses))).toEqual(path);
  });
});
