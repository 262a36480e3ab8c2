import { describe, expect, it } from 'vitest';
import { createNodeLimit, createNodeLimits, type RpcLimits } from '../../src/rpc/node-limit.ts';

/** A limit with a clock of its own, and the times at which calls were sent. */
function createLimit(limits: RpcLimits) {
  let time = 0;
  const clock = {
    now: () => time,
    async sleep(ms: number, signal: AbortSignal | undefined) {
      signal?.throwIfAborted();
      time += ms;
    },
  };
  const limit = createNodeLimit(limits, clock);
  const sent: number[] = [];
  const send = (calls: number, signal?: AbortSignal) => limit.run(calls, async () => void sent.push(time), signal);
  return { limit, sent, send };
}

describe('a limit on calls per second', () => {
  it('sends single calls at equal distances', async () => {
    const { sent, send } = createLimit({ callsPerSecond: 4, callsInFlight: null });
    await Promise.all([send(1), send(1), send(1)]);
    expect(sent).toEqual([0, 250, 500]);
  });

  it('counts each call of a batch', async () => {
    const { limit, sent, send } = createLimit({ callsPerSecond: 20, callsInFlight: null });
    await Promise.all([send(10), send(10), send(1)]);
    expect(sent).toEqual([0, 500, 1_000]);
    expect(limit.maxBatch).toBe(10);
  });

  it('goes on after a call that was aborted while it waited', async () => {
    const { sent, send } = createLimit({ callsPerSecond: 4, callsInFlight: null });
    const aborted = send(1).then(() => send(1, AbortSignal.abort()));
    await expect(aborted).rejects.toThrow('aborted');
    await send(1);
    expect(sent).toEqual([0, 250]);
  });
});

describe('a limit on calls in flight', () => {
  it('sends a call when an earlier one has ended, even with an error', async () => {
    const limit = createNodeLimit({ callsPerSecond: null, callsInFlight: 2 });
    const ends: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const work = (calls: number) =>
      limit.run(calls, async () => {
        most = Math.max(most, (running += calls));
        await new Promise<void>((resolve) => ends.push(resolve));
        running -= calls;
        throw new Error('ended');
      });
    const all = Promise.allSettled([work(1), work(1), work(2), work(1)]);
    for (let ended = 0; ended < 4; ) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const end of ends.splice(0)) {
        end();
        ended += 1;
      }
    }
    expect((await all).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(most).toBe(2);
  });
});

describe('the limits of nodes', () => {
  const limits = { callsPerSecond: 80, callsInFlight: null };
  const batchOf = (use: 'index' | 'serve' | 'verify', url: string) =>
    createNodeLimits({ limits, use, workers: 2, nameUrls: ['names'] })(url).maxBatch;

  it('add up to no more than the setting for the processes that use a node', () => {
    // A batch takes half a second.
    const rates = (url: string) => (['index', 'serve', 'serve', 'verify'] as const).map((use) => 2 * batchOf(use, url));
    expect(rates('names').reduce((sum, rate) => sum + rate)).toBe(80);
    expect(2 * batchOf('index', 'other') + 2 * batchOf('verify', 'other')).toBe(80);
  });

  it('are one for all endpoints with the same URL', () => {
    const limitOf = createNodeLimits({ limits, use: 'index', workers: 1, nameUrls: [] });
    expect(limitOf('one')).toBe(limitOf('one'));
    expect(limitOf('one')).not.toBe(limitOf('other'));
  });
});
