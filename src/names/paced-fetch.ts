export interface PaceOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly requestsPerSecond: number;
  /** Rejects when the end has come: then nothing more is asked. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Asks no more often than that, however much is asked of it: who comes too soon waits for a turn. */
export function createPacedFetch({ fetch, requestsPerSecond, sleep }: PaceOptions): typeof globalThis.fetch {
  const spacing = 1_000 / requestsPerSecond;
  let line: Promise<void> = Promise.resolve();
  return async (...request) => {
    const turn = line;
    line = turn.then(() => sleep(spacing));
    // Told to whoever comes next, if anybody does.
    line.catch(() => undefined);
    await turn;
    return fetch(...request);
  };
}
