import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ranksOfCounts } from '../../src/graph/ranks.ts';

const share = (count: number, accounts: number) => ({ count, accounts });

describe('ranksOfCounts', () => {
  it.each([
    ['returns no ranks without counts', [], []],
    ['returns rank 1 for a single count, however many accounts have it', [share(0, 7)], [[0, '1']]],
    [
      'ranks the greatest count first',
      [share(10, 1), share(30, 1), share(20, 1)],
      [
        [30, '1'],
        [20, '2'],
        [10, '3'],
      ],
    ],
    [
      'skips as many ranks as accounts share a count',
      [share(1, 1), share(9, 1), share(5, 2)],
      [
        [9, '1'],
        [5, '2'],
        [1, '4'],
      ],
    ],
  ])('%s', (_, shares, ranks) => {
    expect([...ranksOfCounts(shares)]).toEqual(ranks);
  });

  it('returns 1 plus the number of accounts with a greater count', () => {
    const counts = fc.array(fc.oneof(fc.nat(5), fc.nat()), { maxLength: 60 });
    fc.assert(
      fc.property(counts, (all) => {
        const shares = [...new Set(all)].map((count) => share(count, all.filter((other) => other === count).length));
        const ranks = ranksOfCounts(shares);
        for (const count of all) expect(ranks.get(count)).toBe(`${1 + all.filter((other) => other > count).length}`);
      }),
    );
  });
});
