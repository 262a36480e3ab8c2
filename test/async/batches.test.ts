import { describe, expect, it } from 'vitest';
import { batches, gather, overlap } from '../../src/async/batches.ts';
import { settleAll } from '../../src/async/settle-all.ts';

/** A promise that the test settles. */
function deferred<T = void>() {
  let settle: { resolve(value: T): void; reject(error: Error): void } | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Safe: a promise calls its executor synchronously.
  return { promise, ...(settle as NonNullable<typeof settle>) };
}

/** Lets all pending callbacks run. */
const flush = () => new Promise(setImmediate);

async function* each<T>(...values: T[]): AsyncGenerator<T> {
  yield* values;
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

/** Observes whether and how a promise has settled. */
function watch(promise: Promise<unknown>) {
  const seen: { state: 'open' | 'done' | 'failed'; error?: unknown } = { state: 'open' };
  promise.then(
    () => Object.assign(seen, { state: 'done' }),
    (error) => Object.assign(seen, { state: 'failed', error }),
  );
  return seen;
}

describe('batches', () => {
  it('groups values into arrays of one size, of which the last may be shorter', async () => {
    expect(await all(batches([1, 2, 3, 4, 5], 2))).toEqual([[1, 2], [3, 4], [5]]);
    expect(await all(batches(each(1, 2, 3, 4), 2))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await all(batches([], 2))).toEqual([]);
  });
});

describe('gather', () => {
  it('concatenates arrays until they hold enough values, and never splits one', async () => {
    expect(await all(gather(each([1], [2, 3], [4, 5, 6, 7], [8], [9]), 3))).toEqual([
      [1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]);
  });

  it('yields nothing for empty input', async () => {
    expect(await all(gather(each<number[]>(), 3))).toEqual([]);
    expect(await all(gather(each<number[]>([], []), 3))).toEqual([]);
  });

  it('yields a new array each time', async () => {
    const given = [1, 2];
    const [first, second] = await all(gather(each(given, given), 2));
    first?.push(3);
    expect([given, second]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('does not read more arrays than it needs for the next batch', async () => {
    const read: number[] = [];
    async function* arrays() {
      for (let i = 0; i < 10; i++) {
        read.push(i);
        yield [i];
      }
    }
    const gathered = gather(arrays(), 2);
    expect((await gathered.next()).value).toEqual([0, 1]);
    expect(read).toEqual([0, 1]);
  });

  it('throws the error of its input', async () => {
    const failure = new Error('failure');
    async function* arrays() {
      yield [1];
      throw failure;
    }
    await expect(all(gather(arrays(), 2))).rejects.toBe(failure);
  });
});

describe('overlap', () => {
  it('runs work for one value at a time, in order, for sync and async input', async () => {
    for (const values of [[1, 2, 3], each(1, 2, 3)]) {
      const seen: string[] = [];
      await overlap(values, async (value) => {
        seen.push(`begin ${value}`);
        await flush();
        seen.push(`end ${value}`);
      });
      expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
    }
  });

  it('produces exactly one value ahead while work is running', async () => {
    const seen: string[] = [];
    function* values() {
      for (const value of [1, 2, 3]) {
        seen.push(`make ${value}`);
        yield value;
      }
    }
    const work = [deferred(), deferred(), deferred()];
    const ended = watch(
      overlap(values(), (value) => {
        seen.push(`work ${value}`);
        return (work[value - 1] as (typeof work)[number]).promise;
      }),
    );
    await flush();
    expect(seen.splice(0)).toEqual(['make 1', 'work 1', 'make 2']);
    work[0]?.resolve();
    await flush();
    expect(seen.splice(0)).toEqual(['work 2', 'make 3']);
    work[1]?.resolve();
    await flush();
    expect([seen.splice(0), ended.state]).toEqual([['work 3'], 'open']);
    work[2]?.resolve();
    await flush();
    expect(ended.state).toBe('done');
  });

  it('starts work on a value as soon as it is available', async () => {
    const second = deferred<number>();
    const seen: number[] = [];
    async function* values() {
      yield 1;
      yield second.promise;
    }
    const done = overlap(values(), async (value) => {
      seen.push(value);
    });
    await flush();
    expect(seen).toEqual([1]);
    second.resolve(2);
    await done;
    expect(seen).toEqual([1, 2]);
  });

  it('stops at the first error of work, and closes the input generator', async () => {
    const failure = new Error('failure');
    const seen: (number | string)[] = [];
    function* values() {
      try {
        yield* [1, 2, 3, 4];
      } finally {
        seen.push('clean');
      }
    }
    const done = overlap(values(), async (value) => {
      seen.push(value);
      if (value === 2) throw failure;
    });
    await expect(done).rejects.toBe(failure);
    expect(seen).toEqual([1, 2, 'clean']);
  });

  it('throws an error of work on the last value', async () => {
    const failure = new Error('failure');
    await expect(overlap([1, 2], (value) => (value === 2 ? Promise.reject(failure) : Promise.resolve()))).rejects.toBe(
      failure,
    );
  });

  it('causes no unhandled rejection when work fails while the next value is awaited', async () => {
    const failure = new Error('failure');
    const next = deferred<number>();
    const seen: number[] = [];
    async function* values() {
      yield 1;
      yield next.promise;
    }
    const ended = watch(
      overlap(values(), async (value) => {
        seen.push(value);
        throw failure;
      }),
    );
    // An unhandled rejection would fail the test run here.
    await flush();
    expect(ended.state).toBe('open');
    next.resolve(2);
    await flush();
    expect(ended).toEqual({ state: 'failed', error: failure });
    expect(seen).toEqual([1]);
  });

  it.each(['before', 'after'])('prefers the error of work when the next value fails too, %s it', async (order) => {
    const [ofWork, ofNext] = [new Error('of work'), new Error('of the next value')];
    const [work, next] = [deferred(), deferred<number>()];
    async function* values() {
      yield 1;
      yield next.promise;
    }
    const ended = watch(overlap(values(), () => work.promise));
    const failures = [() => next.reject(ofNext), () => work.reject(ofWork)];
    for (const fail of order === 'before' ? failures : failures.toReversed()) {
      await flush();
      expect(ended.state).toBe('open');
      fail();
    }
    await flush();
    expect(ended).toEqual({ state: 'failed', error: ofWork });
  });

  it('throws an error of the input after the running work has ended', async () => {
    const failure = new Error('failure');
    const work = deferred();
    function* values() {
      yield 1;
      throw failure;
    }
    const ended = watch(overlap(values(), () => work.promise));
    await flush();
    expect(ended.state).toBe('open');
    work.resolve();
    await flush();
    expect(ended).toEqual({ state: 'failed', error: failure });
  });

  it('does nothing for empty input', async () => {
    await overlap(each(), () => Promise.reject(new Error('there is no work')));
  });
});

describe('settleAll', () => {
  it('returns the results in the order of the promises', async () => {
    const [first, second] = [deferred<number>(), deferred<string>()];
    const results = settleAll<[number, string]>([first.promise, second.promise]);
    second.resolve('two');
    await flush();
    first.resolve(1);
    expect(await results).toEqual([1, 'two']);
    expect(await settleAll([])).toEqual([]);
  });

  it('waits for all promises although one has rejected', async () => {
    const failure = new Error('failure');
    const promises = [deferred(), deferred(), deferred()] as const;
    const ended = watch(settleAll(promises.map(({ promise }) => promise)));
    promises[1].reject(failure);
    await flush();
    expect(ended.state).toBe('open');
    promises[0].resolve();
    await flush();
    expect(ended.state).toBe('open');
    promises[2].resolve();
    await flush();
    expect(ended).toEqual({ state: 'failed', error: failure });
  });

  it('throws the rejection that was first in time, whatever the order of the promises', async () => {
    const [early, late] = [new Error('early'), new Error('late')];
    const promises = [deferred(), deferred(), deferred()] as const;
    const ended = watch(settleAll(promises.map(({ promise }) => promise)));
    promises[2].reject(early);
    await flush();
    promises[1].reject(late);
    await flush();
    promises[0].resolve();
    await flush();
    expect(ended).toEqual({ state: 'failed', error: early });
  });
});
