import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ranksOf } from '../../src/graph/ranks.ts';

describe('ranks', () => {
  it.each([
    ['are none for no values', [], []],
    ['are 1 for one value', [0], [1]],
    ['go from the greatest value down', [10, 30, 20], [3, 1, 2]],
    ['are shared by equal values, and the next is as much lower', [5, 9, 5, 1], [2, 1, 2, 4]],
    ['are all 1 when all values are equal', [4, 4, 4], [1, 1, 1]],
    ['are all 1 when all values are zero', [0, 0], [1, 1]],
    ['compare numbers, not text', [9, 10, 100], [3, 2, 1]],
    ['tell great numbers apart', [2 ** 32, 2 ** 32 + 1, 0], [2, 1, 3]],
  ])('%s', (_, values, ranks) => {
    expect([...ranksOf(values)]).toEqual(ranks);
  });

  it('are 1 plus the number of greater values', () => {
    const values = fc.array(fc.oneof(fc.nat(5), fc.nat()), { maxLength: 60 });
    fc.assert(
      fc.property(values, (counts) => {
        const expected = counts.map((count) => 1 + counts.filter((other) => other > count).length);
        expect([...ranksOf(counts)]).toEqual(expected);
      }),
    );
  });

  it('leave the values as they are', () => {
    const values = [1, 3, 2];
    ranksOf(values);
    expect(values).toEqual([1, 3, 2]);
  });
});
