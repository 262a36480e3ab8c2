/** Groups values as they come into arrays of `size`; the last may be shorter. */
export async function* batches<T>(values: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const value of values) {
    batch.push(value);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Puts arrays settleAll, as they come, until they hold at least `size` values; the last may be shorter. */
export async function* gather<T>(arrays: AsyncIterable<readonly T[]>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const array of arrays) {
    for (const value of array) batch.push(value);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Gives `work` one value after the other, and has the next one made while it is busy. The first error ends it. */
export async function overlap<T>(
  values: Iterable<T> | AsyncIterable<T>,
  work: (value: T) => Promise<void>,
): Promise<void> {
  let busy: Promise<void> = Promise.resolve();
  try {
    for await (const value of values) {
      await busy;
      busy = work(value);
      // Whoever awaits it hears of a failure; until then it must not count as unhandled.
      busy.catch(() => undefined);
    }
  } finally {
    // Throws in place of an error of a later value.
    await busy;
  }
}

/** Waits for all of the promises, whatever becomes of them, and then throws what failed first, if anything did. */
export async function settleAll<T extends readonly unknown[]>(
  promises: {
    readonly [K in keyof T]: Promise<T[K]>;
  },
): Promise<T> {
  // Safe: `all` keeps the order and number of what it is given.
  const all = Promise.all(promises) as unknown as Promise<T>;
  // It knows which failed first in time; here it is only kept from counting as unhandled until the end.
  all.catch(() => undefined);
  await Promise.allSettled(promises);
  return all;
}
