/** Groups values into arrays of `size`; the last one may be shorter. */
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

/** Concatenates arrays until they hold at least `size` values; the last one may be shorter. */
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

/** Calls `work` for one value at a time, while the next value is being produced. Stops at the first error. */
export async function overlap<T>(
  values: Iterable<T> | AsyncIterable<T>,
  work: (value: T) => Promise<void>,
): Promise<void> {
  let current: Promise<void> = Promise.resolve();
  try {
    for await (const value of values) {
      await current;
      current = work(value);
      // A rejection is thrown by the next `await`; until then it must not count as unhandled.
      current.catch(() => undefined);
    }
  } finally {
    // An error of `work` takes precedence over one of a later value.
    await current;
  }
}
