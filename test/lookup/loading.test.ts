import { describe, expect, it } from 'vitest';
import { loadingOf } from '../../src/lookup/status.ts';

const NOW = 1_790_000_000_000;
const claim = (chain_id: number, start_block: number, is_indexed = 1) => ({ chain_id, start_block, is_indexed });
const cursor = (chain_id: number, number: number, head_number: number) => ({
  ...{ chain_id, number, head_number },
  checked_at: NOW - 1_000,
});

describe('the progress of the first load', () => {
  it('is the part of the blocks of all indexed chains', () => {
    const claims = [claim(8453, 1_001), claim(10, 1), claim(1, 1, 0)];
    const cursors = [cursor(8453, 1_300, 2_000), cursor(10, 20, 1_000), cursor(1, 5, 5)];
    expect(loadingOf(claims, cursors, 0, NOW)).toEqual({ percent: 16, secondsLeft: null });
  });

  it('is below 100 % until the graph is complete', () => {
    expect(loadingOf([claim(10, 1)], [cursor(10, 1_000, 1_000)], 0, NOW)?.percent).toBe(99);
  });

  it('is not negative if the first block has been set higher', () => {
    expect(loadingOf([claim(10, 500)], [cursor(10, 400, 1_000)], 0, NOW)?.percent).toBe(0);
  });

  it('is unknown while a chain has not been reached', () => {
    const claims = [claim(8453, 1), claim(10, 1)];
    expect(loadingOf(claims, [cursor(10, 1, 2)], NOW + 60_000, NOW)).toEqual({ percent: null, secondsLeft: null });
  });

  it('is null if no chain is indexed', () => {
    expect(loadingOf([claim(10, 1, 0)], [], 0, NOW)).toBeNull();
  });

  it('has the time left that the indexer has estimated, unless it is silent or late', () => {
    const secondsLeft = (endsAt: number, now: number) =>
      loadingOf([claim(10, 1)], [cursor(10, 1, 100)], endsAt, now)?.secondsLeft;
    expect(secondsLeft(NOW + 90_000, NOW)).toBe(90);
    expect(secondsLeft(NOW - 1, NOW)).toBeNull();
    expect(secondsLeft(NOW + 900_000, NOW + 120_000)).toBeNull();
  });
});
