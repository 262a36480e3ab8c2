import { describe, expect, it } from 'vitest';
import { BlockClock } from '../../src/rpc/chain-node.ts';

const BASE = 8453;

function clockOf(chainId: number, ...blocks: [number: number, time: number][]): BlockClock {
  const clock = new BlockClock(chainId);
  for (const [number, time] of blocks) clock.add({ number, time });
  return clock;
}

describe('the times of blocks on a chain with a fixed block time', () => {
  it('are proven between two blocks whose distance agrees', () => {
    const clock = clockOf(BASE, [100, 1_000], [200, 1_200]);
    expect([99, 100, 150, 200, 201].map((number) => clock.timeOf(number))).toEqual([null, 1_000, 1_100, 1_200, null]);
  });

  it('are unknown if the distance of two blocks does not agree', () => {
    expect(clockOf(BASE, [100, 1_000], [200, 1_201]).timeOf(150)).toBeNull();
  });

  it('need a block below the first known one', () => {
    const clock = clockOf(BASE, [100, 1_000], [200, 1_200]);
    expect([clock.lacks(99), clock.lacks(100)]).toEqual([true, false]);
  });
});

describe('the times of blocks on a chain with slots that may be empty', () => {
  it('are never computed', () => {
    const clock = clockOf(1, [100, 1_000], [200, 2_200]);
    expect(clock.timeOf(150)).toBeNull();
    expect(clock.lacks(1)).toBe(false);
  });
});
