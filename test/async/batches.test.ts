import { describe, expect, it } from 'vitest';
import { batches, gather, overlap, settleAll } from '../../src/async/batches.ts';

/** A promise that the test settles by hand. */
function byHand<T = void>() {
  let settle: { resolve(value: T): void; reject(error: Error): void } | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Safe: a promise calls its executor at once.
  return { promise, ...(settle as NonNullable<typeof settle>) };
}

/** Lets everything happen that waits for nothing from outside. */
const allThatCan = () => new Promise(setImmediate);

async function* each<T>(...values: T[]): AsyncGenerator<T> {
  yield* values;
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

/** Whether a promise has been settled by now, and how. */
function watch(promise: Promise<unknown>) {
  const seen: { state: 'open' | 'done' | 'failed'; error?: unknown } = { state: 'open' };
  promise.then(
    () => Object.assign(seen, { state: 'done' }),
    (error) => Object.assign(seen, { state: 'failed', error }),
  );
  return seen;
}

describe('batches', () => {
  it('cuts values into arrays of one size, of which the last may be shorter', async () => {
    expect(await all(batches([1, 2, 3, 4, 5], 2))).toEqual([[1, 2], [3, 4], [5]]);
    expect(await all(batches(each(1, 2, 3, 4), 2))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await all(batches([], 2))).toEqual([]);
  });
});

describe('gather', () => {
  it('puts arrays settleAll until they hold enough, and never cuts one', async () => {
    expect(await all(gather(each([1], [2, 3], [4, 5, 6, 7], [8], [9]), 3))).toEqual([
      [1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]);
  });

  it('gives nothing for nothing', async () => {
    expect(await all(gather(each<number[]>(), 3))).toEqual([]);
    expect(await all(gather(each<number[]>([], []), 3))).toEqual([]);
  });

  it('gives an array of its own each time', async () => {
    const given = [1, 2];
    const [first, second] = await all(gather(each(given, given), 2));
    first?.push(3);
    expect([given, second]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('does not ask for more than it needs before it gives what it has', async () => {
    const asked: number[] = [];
    async function* arrays() {
      for (let i = 0; i < 10; i++) {
        asked.push(i);
        yield [i];
      }
    }
    const gathered = gather(arrays(), 2);
    expect((await gathered.next()).value).toEqual([0, 1]);
    expect(asked).toEqual([0, 1]);
  });

  it('throws what the arrays throw', async () => {
    const trouble = new Error('trouble');
    async function* arrays() {
      yield [1];
      throw trouble;
    }
    await expect(all(gather(arrays(), 2))).rejects.toBe(trouble);
  });
});

describe('overlap', () => {
  it('gives work the values in their order, one at a time, whichever way they come', async () => {
    for (const values of [[1, 2, 3], each(1, 2, 3)]) {
      const seen: string[] = [];
      await overlap(values, async (value) => {
        seen.push(`begin ${value}`);
        await allThatCan();
        seen.push(`end ${value}`);
      });
      expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
    }
  });

  it('has one value, and no more, made while work is busy', async () => {
    const seen: string[] = [];
    function* values() {
      for (const value of [1, 2, 3]) {
        seen.push(`make ${value}`);
        yield value;
      }
    }
    const work = [byHand(), byHand(), byHand()];
    const ended = watch(
      overlap(values(), (value) => {
        seen.push(`work ${value}`);
        return (work[value - 1] as (typeof work)[number]).promise;
      }),
    );
    await allThatCan();
    expect(seen.splice(0)).toEqual(['make 1', 'work 1', 'make 2']);
    work[0]?.resolve();
    await allThatCan();
    expect(seen.splice(0)).toEqual(['work 2', 'make 3']);
    work[1]?.resolve();
    await allThatCan();
    expect([seen.splice(0), ended.state]).toEqual([['work 3'], 'open']);
    work[2]?.resolve();
    await allThatCan();
    expect(ended.state).toBe('done');
  });

  it('starts work on a value as soon as it is made', async () => {
    const second = byHand<number>();
    const seen: number[] = [];
    async function* values() {
      yield 1;
      yield second.promise;
    }
    const done = overlap(values(), async (value) => {
      seen.push(value);
    });
    await allThatCan();
    expect(seen).toEqual([1]);
    second.resolve(2);
    await done;
    expect(seen).toEqual([1, 2]);
  });

  it('ends at the first error of work, and lets the maker of values clean up', async () => {
    const trouble = new Error('trouble');
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
      if (value === 2) throw trouble;
    });
    await expect(done).rejects.toBe(trouble);
    expect(seen).toEqual([1, 2, 'clean']);
  });

  it('throws the error of the last work', async () => {
    const trouble = new Error('trouble');
    await expect(overlap([1, 2], (value) => (value === 2 ? Promise.reject(trouble) : Promise.resolve()))).rejects.toBe(
      trouble,
    );
  });

  it('keeps an error of work to itself while the next value is being made', async () => {
    const trouble = new Error('trouble');
    const next = byHand<number>();
    const seen: number[] = [];
    async function* values() {
      yield 1;
      yield next.promise;
    }
    const ended = watch(
      overlap(values(), async (value) => {
        seen.push(value);
        throw trouble;
      }),
    );
    // Were it nobody's to hear of, the process would be told here, and the run would fail.
    await allThatCan();
    expect(ended.state).toBe('open');
    next.resolve(2);
    await allThatCan();
    expect(ended).toEqual({ state: 'failed', error: trouble });
    expect(seen).toEqual([1]);
  });

  it.each(['before', 'after'])(
    'throws the error of work on a value even when the next one fails too, %s it',
    async (order) => {
      const [ofWork, ofNext] = [new Error('of work'), new Error('of the next value')];
      const [work, next] = [byHand(), byHand<number>()];
      async function* values() {
        yield 1;
        yield next.promise;
      }
      const ended = watch(overlap(values(), () => work.promise));
      const failures = [() => next.reject(ofNext), () => work.reject(ofWork)];
      for (const fail of order === 'before' ? failures : failures.toReversed()) {
        await allThatCan();
        expect(ended.state).toBe('open');
        fail();
      }
      await allThatCan();
      expect(ended).toEqual({ state: 'failed', error: ofWork });
    },
  );

  it('throws an error in making values when the work under way has ended', async () => {
    const trouble = new Error('trouble');
    const work = byHand();
    function* values() {
      yield 1;
      throw trouble;
    }
    const ended = watch(overlap(values(), () => work.promise));
    await allThatCan();
    expect(ended.state).toBe('open');
    work.resolve();
    await allThatCan();
    expect(ended).toEqual({ state: 'failed', error: trouble });
  });

  it('does nothing for no values', async () => {
    await overlap(each(), () => Promise.reject(new Error('there is no work')));
  });
});

describe('settleAll', () => {
  it('gives the results in the order of the promises, whichever comes first', async () => {
    const [first, second] = [byHand<number>(), byHand<string>()];
    const results = settleAll<[number, string]>([first.promise, second.promise]);
    second.resolve('two');
    await allThatCan();
    first.resolve(1);
    expect(await results).toEqual([1, 'two']);
    expect(await settleAll([])).toEqual([]);
  });

  it('waits for all of them, though one has failed', async () => {
    const trouble = new Error('trouble');
    const promises = [byHand(), byHand(), byHand()] as const;
    const ended = watch(settleAll(promises.map(({ promise }) => promise)));
    promises[1].reject(trouble);
    await allThatCan();
    expect(ended.state).toBe('open');
    promises[0].resolve();
    await allThatCan();
    expect(ended.state).toBe('open');
    promises[2].resolve();
    await allThatCan();
    expect(ended).toEqual({ state: 'failed', error: trouble });
  });

  it('throws what failed first in time, whatever the order of the promises', async () => {
    const [early, late] = [new Error('early'), new Error('late')];
    const promises = [byHand(), byHand(), byHand()] as const;
    const ended = watch(settleAll(promises.map(({ promise }) => promise)));
    promises[2].reject(early);
    await allThatCan();
    promises[1].reject(late);
    await allThatCan();
    promises[0].resolve();
    await allThatCan();
    expect(ended).toEqual({ state: 'failed', error: early });
  });
});
