import { describe, expect, it, vi } from 'vitest';
import { createCallBudget } from '../../src/remote/call-budget.ts';
import { BusyError, createLimiter } from '../../src/remote/limiter.ts';

/** A budget on a manual clock. */
function createBudget(callsPerSecond: number) {
  const clock = { now: 1_000_000 };
  const onUsedUp = vi.fn();
  const now = () => clock.now;
  const onRejected = () => undefined;
  const budget = createCallBudget({ name: 'source', callsPerSecond, now, onUsedUp, onRejected });
  const spend = (calls: number) => {
    for (let i = 0; i < calls; i++) budget.spend();
  };
  return { budget, spend, clock, onUsedUp };
}

describe('createCallBudget', () => {
  it('allows a burst of five seconds, and then throws a BusyError', () => {
    const { budget, spend } = createBudget(20);
    spend(99);
    budget.check();
    spend(1);
    expect(() => budget.check()).toThrow(BusyError);
  });

  it('is refilled with time, up to the burst', () => {
    const { budget, spend, clock } = createBudget(20);
    spend(100);
    clock.now += 50;
    budget.check();
    clock.now += 3_600_000;
    spend(100);
    expect(() => budget.check()).toThrow('source: limit: unreachable: the rate limit is reached');
  });

  it('counts calls beyond the budget, which delay the next ones', () => {
    const { budget, spend, clock } = createBudget(20);
    spend(110);
    clock.now += 500;
    expect(() => budget.check()).toThrow(BusyError);
    clock.now += 50;
    budget.check();
  });

  it('allows a call from time to time at a rate below one per second', () => {
    const { budget, spend, clock } = createBudget(0.1);
    budget.check();
    spend(1);
    clock.now += 9_900;
    expect(() => budget.check()).toThrow(BusyError);
    clock.now += 100;
    budget.check();
  });

  it('loses nothing if the clock is set back', () => {
    const { budget, spend, clock } = createBudget(20);
    spend(50);
    clock.now -= 3_600_000;
    budget.check();
  });

  it('reports once that it is used up, and again after it was full', () => {
    const { budget, spend, clock, onUsedUp } = createBudget(20);
    for (const pause of [0, 20, 10_000]) {
      clock.now += pause;
      spend(100);
      expect(() => budget.check()).toThrow(BusyError);
    }
    expect(onUsedUp).toHaveBeenCalledTimes(2);
  });
});

describe('a limiter with a budget', () => {
  it('is used up by what its work spends, and then rejects work without starting it', async () => {
    const { budget } = createBudget(1);
    const limiter = createLimiter('source', 8, 100, { check: budget.check });
    const work = async () => budget.spend();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => limiter.run(work)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(limiter.run(work)).rejects.toThrow(BusyError);
  });
});
