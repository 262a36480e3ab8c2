/**
 * Merges generators into one sequence. A generator is resumed after the consumer is done with its last value; the others
 * run meanwhile. When the consumer leaves or a generator fails, `stop` has to make the others end; they are awaited.
 */
export async function* merge<T>(generators: readonly AsyncGenerator<T>[], stop: () => void): AsyncGenerator<T> {
  const pending = new Map(generators.map((generator) => [generator, advance(generator)]));
  try {
    while (pending.size > 0) {
      const { generator, result } = await Promise.race(pending.values());
      // Moves the generator to the end, so that a busy one does not starve the others.
      pending.delete(generator);
      if (result.done) continue;
      yield result.value;
      pending.set(generator, advance(generator));
    }
  } finally {
    stop();
    // Queued behind a pending `next`, so this waits for the generators as well as closing them.
    await Promise.allSettled(generators.map((generator) => generator.return(undefined)));
  }
}

async function advance<T>(generator: AsyncGenerator<T>) {
  return { generator, result: await generator.next() };
}
