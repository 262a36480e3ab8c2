import { describe, expect, it, vi } from 'vitest';
import { BusyError } from '../../src/remote/remote-error.ts';
import { createRequestContext } from '../../src/remote/request-context.ts';
import { createSourceQueue, type SourceQueueOptions } from '../../src/remote/source-queue.ts';

/** A queue on a manual clock, whose lookups may wait for less than the next call takes to be allowed. */
function setUp(callsPerSecond: number, changes: Partial<SourceQueueOptions> = {}) {
  const clock = { now: 1_000 };
  const [onUsedUp, onRejected] = [vi.fn(), vi.fn()];
  const queue = createSourceQueue({
    ...{ name: 'source', concurrency: 8, callsPerSecond, maxWaiting: 100, maxWaitMs: 500 / callsPerSecond },
    ...{ monotonic: () => clock.now, logger: { warn: onUsedUp }, metrics: { rejected: onRejected } },
    ...changes,
  });
  const lookup = async () => queue.spend();
  /** How many of some lookups were made. */
  const ask = async (count: number) => {
    const results = await Promise.allSettled(Array.from({ length: count }, () => queue.ask(lookup)));
    return results.filter(({ status }) => status === 'fulfilled').length;
  };
  return { queue, clock, ask, onUsedUp, onRejected };
}

describe('createSourceQueue', () => {
  it('allows a burst of five seconds, and then rejects lookups with a BusyError', async () => {
    const { queue, ask, onRejected } = setUp(4);
    expect(await ask(30)).toBe(20);
    expect(onRejected).toHaveBeenCalledTimes(10);
    await expect(queue.ask(async () => 1)).rejects.toThrow(BusyError);
    await expect(queue.ask(async () => 1)).rejects.toThrow('source: limit: unreachable: the rate limit is reached');
  });

  it('allows calls again with time, up to the burst', async () => {
    const { clock, ask } = setUp(4);
    await ask(20);
    clock.now += 500;
    expect(await ask(5)).toBe(2);
    clock.now += 3_600_000;
    expect(await ask(30)).toBe(20);
  });

  it('counts calls beyond the limit, which delay the next lookups', async () => {
    const { queue, clock, ask } = setUp(4);
    await queue.ask(async () => {
      for (let i = 0; i < 24; i++) queue.spend();
    });
    clock.now += 1_000;
    expect(await ask(1)).toBe(0);
    clock.now += 250;
    expect(await ask(1)).toBe(1);
  });

  it('allows a call from time to time at a rate below one per second', async () => {
    const { clock, ask } = setUp(0.1);
    expect(await ask(2)).toBe(1);
    clock.now += 4_000;
    expect(await ask(1)).toBe(0);
    clock.now += 6_000;
    expect(await ask(1)).toBe(1);
  });

  it('makes a lookup that may wait until the next call is allowed', async () => {
    const { queue, clock, ask } = setUp(100, { maxWaitMs: 60_000 });
    for (let i = 0; i < 500; i++) queue.spend();
    const waiting = ask(1);
    clock.now += 10;
    expect(await waiting).toBe(1);
  });

  it('reports once that it is used up, and again after it was full', async () => {
    const { clock, ask, onUsedUp } = setUp(4);
    for (const pause of [0, 250, 10_000]) {
      clock.now += pause;
      await ask(30);
    }
    expect(onUsedUp).toHaveBeenCalledTimes(2);
  });

  it('gives a client its share beside five that ask without end', async () => {
    let startedAt = Number.POSITIVE_INFINITY;
    // Time stands still until all of them wait.
    const monotonic = () => 1_000 + Math.max(performance.now() - startedAt, 0);
    const { queue } = setUp(100, { maxWaitMs: 60_000, maxWaiting: 50, monotonic });
    const made: string[] = [];
    const ask = (client: string) =>
      createRequestContext(() => client)(() =>
        queue.ask(async () => {
          queue.spend();
          made.push(client);
        }),
      ).catch(() => undefined);
    for (let i = 0; i < 500; i++) queue.spend();
    for (let i = 0; i < 40; i++) for (const client of ['a', 'b', 'c', 'd', 'e']) void ask(client);
    const honest = ask('honest');
    startedAt = performance.now();
    await honest;
    // Each client was served at most twice before.
    expect(made.indexOf('honest')).toBeLessThan(11);
  });
});
