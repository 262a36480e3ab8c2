import { describe, expect, it } from 'vitest';
import { createRateLimitedFetch } from '../../../src/names/background/rate-limited-fetch.ts';

describe('requests that are paced', () => {
  function pace(requestsPerSecond: number) {
    const sent: string[] = [];
    const pauses: { ms: number; end(): void; fail(error: Error): void }[] = [];
    const paced = createRateLimitedFetch({
      fetch: async (url) => {
        sent.push(String(url));
        return new Response();
      },
      requestsPerSecond,
      sleep: (ms) => new Promise((end, fail) => pauses.push({ ms, end, fail })),
    });
    /** Lets what can go on do so. */
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    const ask = async (...names: string[]) => {
      const asked = names.map((name) => paced(name));
      for (const promise of asked) promise.catch(() => undefined);
      await settle();
      return asked;
    };
    const endPause = async () => {
      pauses.shift()?.end();
      await settle();
    };
    return { sent, pauses, ask, endPause, settle };
  }

  it('are sent at once when none was sent before', async () => {
    const { sent, ask } = pace(4);
    await ask('a');
    expect(sent).toEqual(['a']);
  });

  it('are sent one by one, a pause after the other, in their order', async () => {
    const { sent, pauses, ask, endPause } = pace(4);
    await ask('a', 'b', 'c');
    expect([sent, pauses.map(({ ms }) => ms)]).toEqual([['a'], [250]]);
    await endPause();
    expect(sent).toEqual(['a', 'b']);
    await endPause();
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  it('are sent at once when the pause is over', async () => {
    const { sent, ask, endPause } = pace(4);
    await ask('a');
    await endPause();
    await ask('b');
    expect(sent).toEqual(['a', 'b']);
  });

  it('are not sent any more when a pause is cut short', async () => {
    const { sent, pauses, ask, settle } = pace(4);
    const [, waiting] = await ask('a', 'b');
    pauses[0]?.fail(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
    await settle();
    const [late] = await ask('c');
    await expect(late).rejects.toThrow('over');
    expect(sent).toEqual(['a']);
  });
});
