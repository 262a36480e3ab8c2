import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createOnDemand, type OnDemandOptions, valuesOf } from '../../src/remote/on-demand.ts';

function setUp(changes: Partial<OnDemandOptions<string>> = {}) {
  const written: (readonly string[])[] = [];
  const [asked, warn] = [vi.fn(), vi.fn()];
  const names = createOnDemand<string>({
    ...{ source: 'ens', of: 'names', deadlineMs: 30_000, logger: { warn } },
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    write: async (values) => void written.push(values),
    ...changes,
  });
  const fetch = async (key: string) => {
    asked(key);
    if (key.startsWith('bad')) throw new Error('no such name');
    return key.toUpperCase();
  };
  return { names, fetch, asked, written, warn };
}

describe('createOnDemand', () => {
  it('asks once for equal keys, and stores the values of a request together, without those that failed', async () => {
    const { names, fetch, asked, written } = setUp();
    const [a, bad, c] = names.request(['a', 'bad', 'c'], fetch);
    const [joined] = names.request(['c'], fetch);
    expect(joined).toBe(c);
    await expect(bad.fetched).rejects.toThrow('no such name');
    expect(await Promise.all([a.fetched, joined.fetched])).toEqual(['A', 'C']);
    await joined.stored;
    expect([asked.mock.calls, written]).toEqual([[['a'], ['bad'], ['c']], [['A', 'C']]]);
  });

  it('has a value in flight until it is stored, and asks again for another one', async () => {
    const { promise: locked, resolve: unlock } = Promise.withResolvers<void>();
    const { names, fetch, asked } = setUp({ write: () => locked });
    const [first] = names.request(['a'], fetch);
    await first.fetched;
    expect(names.inFlight(['a', 'b']).flatMap(valuesOf)).toEqual(['A']);
    const [second] = names.request(['a'], fetch);
    await second.fetched;
    expect(asked).toHaveBeenCalledTimes(2);
    unlock();
    await names.settle();
    expect(names.inFlight(['a'])).toEqual([]);
  });

  it('writes for one request at a time', async () => {
    let [running, most] = [0, 0];
    const { names, fetch } = setUp({
      async write() {
        most = Math.max(most, ++running);
        await setTimeout();
        running -= 1;
      },
    });
    for (const key of ['a', 'b', 'c']) names.request([key], fetch);
    void names.inTurn(async () => {
      most = Math.max(most, running + 1);
    });
    await names.settle();
    expect(most).toBe(1);
  });

  it('logs a write that fails, and forgets its values', async () => {
    const { names, fetch, warn } = setUp({ write: () => Promise.reject(new Error('read-only')) });
    const [{ fetched, stored }] = names.request(['a'], fetch);
    expect(await fetched).toBe('A');
    await stored;
    expect(warn.mock.calls).toMatchObject([[{}, 'failed to store fetched names, they will be fetched again']]);
    expect(names.inFlight(['a'])).toEqual([]);
  });

  it('rejects with a timeout at the deadline, while the work goes on', async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<string>();
    const { names, written } = setUp({ deadlineMs: 1 });
    const [{ fetched, stored }] = names.request(['a'], () => asked);
    await expect(names.inTime(fetched)).rejects.toMatchObject({ name: 'RemoteError', fault: { kind: 'timeout' } });
    answer('A');
    await stored;
    expect(written).toEqual([['A']]);
  });
});
