import { describe, expect, it } from 'vitest';
import { createRateLimitedFetch } from '../../../src/names/background/rate-limited-fetch.ts';

describe('createRateLimitedFetch', () => {
  function setUp(requestsPerSecond: number) {
    const sent: string[] = [];
    const pauses: { ms: number; end(): void; fail(error: Error): void }[] = [];
    const limited = createRateLimitedFetch({
      fetch: async (url) => {
        sent.push(String(url));
        return new Response();
      },
      requestsPerSecond,
      sleep: (ms) => new Promise((end, fail) => pauses.push({ ms, end, fail })),
    });
    /** Runs pending microtasks and callbacks. */
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    const request = async (...names: string[]) => {
      const requests = names.map((name) => limited(name));
      for (const promise of requests) promise.catch(() => undefined);
      await settle();
      return requests;
    };
    const endPause = async () => {
      pauses.shift()?.end();
      await settle();
    };
    return { sent, pauses, request, endPause, settle };
  }

  it('sends the first request immediately', async () => {
    const { sent, request } = setUp(4);
    await request('a');
    expect(sent).toEqual(['a']);
  });

  it('sends queued requests in order, one per interval', async () => {
    const { sent, pauses, request, endPause } = setUp(4);
    await request('a', 'b', 'c');
    expect([sent, pauses.map(({ ms }) => ms)]).toEqual([['a'], [250]]);
    await endPause();
    expect(sent).toEqual(['a', 'b']);
    await endPause();
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  it('sends a request immediately if the interval has passed', async () => {
    const { sent, request, endPause } = setUp(4);
    await request('a');
    await endPause();
    await request('b');
    expect(sent).toEqual(['a', 'b']);
  });

  it('rejects queued and later requests when sleep rejects on shutdown', async () => {
    const { sent, pauses, request, settle } = setUp(4);
    const [, waiting] = await request('a', 'b');
    pauses[0]?.fail(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
    await settle();
    const [late] = await request('c');
    await expect(late).rejects.toThrow('over');
    expect(sent).toEqual(['a']);
  });
});
