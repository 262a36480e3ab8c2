type Settled<T> =
  | { readonly generator: AsyncGenerator<T>; readonly result: IteratorResult<T> }
  | { readonly error: unknown };

/**
 * Merges generators into one sequence. A generator is resumed after the consumer is done with its last value; the others
 * run meanwhile. When the consumer leaves or a generator fails, `stop` has to make the others end; they are awaited.
 */
export async function* merge<T>(generators: readonly AsyncGenerator<T>[], stop: () => void): AsyncGenerator<T> {
  // A queue, because `Promise.race` would keep every value alive for as long as one generator is pending.
  const settled: Settled<T>[] = [];
  let wake = () => {};
  const advance = (generator: AsyncGenerator<T>) => {
    const push = (entry: Settled<T>) => {
      settled.push(entry);
      wake();
    };
    generator.next().then(
      (result) => push({ generator, result }),
      (error: unknown) => push({ error }),
    );
  };
  generators.forEach(advance);
  try {
    for (let running = generators.length; running > 0; ) {
      const next = settled.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if ('error' in next) {
        throw next.error;
      } else if (next.result.done) {
        running -= 1;
      } else {
        yield next.result.value;
        advance(next.generator);
      }
    }
  } finally {
    stop();
    // Queued behind a pending `next`, so this waits for the generators as well as closing them.
    await Promise.allSettled(generators.map((generator) => generator.return(undefined)));
  }
}
