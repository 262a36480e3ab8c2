export interface RateLimitedFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly requestsPerSecond: number;
  /** Rejects on shutdown, which rejects all queued requests. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** A `fetch` with a rate limit: excess requests wait in FIFO order. */
export function createRateLimitedFetch(options: RateLimitedFetchOptions): typeof globalThis.fetch {
  const { fetch, requestsPerSecond, sleep } = options;
  const interval = 1_000 / requestsPerSecond;
  let nextSlot: Promise<void> = Promise.resolve();
  return async (...request) => {
    const slot = nextSlot;
    nextSlot = slot.then(() => sleep(interval));
    // The next request awaits the rejection; without one, it must not count as unhandled.
    nextSlot.catch(() => undefined);
    await slot;
    return fetch(...request);
  };
}
