import { AsyncLocalStorage } from 'node:async_hooks';

export interface FairQueueOptions {
  readonly concurrency: number;
  readonly maxWaiting: number;
  /** Work that has waited longer is rejected. */
  readonly maxWaitMs: number;
  /** Work that takes longer goes on without its slot, which other work gets. */
  readonly holdMs?: number;
  /** How long no work may start; 0 if it may start now. For a rate limit. */
  readonly delayMs?: () => number;
  /** The error of work that is not started. */
  readonly refuse: (reason: Refusal) => Error;
}

/** The queue is full, the work has waited too long, or its client is gone. */
export type Refusal = 'full' | 'late' | 'gone';

interface Waiting {
  readonly since: number;
  readonly isGone: () => boolean;
  start(): Promise<unknown>;
  reject(error: Error): void;
}

/**
 * Runs a bounded amount of work at once. Fair queueing: of the clients with waiting work, the one with the least running work is next, then the one that was
 * served longest ago. When the queue is full, the client with the most waiting work loses its newest. So the share of a
 * client is limited only while others wait.
 */
export function createFairQueue(options: FairQueueOptions) {
  const { concurrency, maxWaiting, maxWaitMs, holdMs, delayMs = () => 0, refuse } = options;
  /** By client, in the order in which they were served last. */
  const queues = new Map<string, Waiting[]>();
  const runningOf = new Map<string, number>();
  let running = 0;
  let waiting = 0;
  let isDelayed = false;

  const count = (client: string, change: number) => {
    running += change;
    const left = (runningOf.get(client) ?? 0) + change;
    if (left === 0) runningOf.delete(client);
    else runningOf.set(client, left);
  };
  const best = (isBetter: (client: string, other: string) => boolean) => {
    let found: string | undefined;
    for (const client of queues.keys()) if (found === undefined || isBetter(client, found)) found = client;
    return found;
  };
  const waitingOf = (client: string) => queues.get(client)?.length ?? 0;
  const take = (client: string, end: 'first' | 'last'): Waiting | undefined => {
    const queue = queues.get(client) ?? [];
    const taken = end === 'first' ? queue.shift() : queue.pop();
    // A client that loses its newest work is not served, and keeps its place.
    if (end === 'first' || queue.length === 0) queues.delete(client);
    if (queue.length > 0) queues.set(client, queue);
    if (taken !== undefined) waiting -= 1;
    return taken;
  };

  function start(client: string, work: Waiting): void {
    count(client, 1);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(held);
      count(client, -1);
      // Not at once: Node handles up to 1,000 messages of a thread in one turn of the event loop, as long as they keep coming.
      setImmediate(fill);
    };
    const held = holdMs === undefined ? undefined : setTimeout(release, holdMs);
    void work.start().finally(release);
  }

  function endDelay(): void {
    isDelayed = false;
    fill();
  }

  function fill(): void {
    while (running < concurrency && waiting > 0) {
      const client = best((a, b) => (runningOf.get(a) ?? 0) < (runningOf.get(b) ?? 0)) ?? '';
      const [next] = queues.get(client) ?? [];
      const delay = delayMs();
      const isLate = next !== undefined && performance.now() + delay - next.since > maxWaitMs;
      if (delay > 0 && next !== undefined && !isLate && !next.isGone()) {
        if (!isDelayed) setTimeout(endDelay, delay);
        isDelayed = true;
        return;
      }
      const work = take(client, 'first');
      if (work === undefined) continue;
      if (work.isGone()) work.reject(refuse('gone'));
      else if (isLate) work.reject(refuse('late'));
      else start(client, work);
    }
  }

  /** Whether there is room for more work of the client. */
  function makeRoom(client: string): boolean {
    if (waiting < maxWaiting || (running < concurrency && delayMs() === 0)) return true;
    const largest = best((a, b) => waitingOf(a) > waitingOf(b));
    if (largest === undefined || waitingOf(largest) <= waitingOf(client) + 1) return false;
    take(largest, 'last')?.reject(refuse('full'));
    return true;
  }

  return {
    /** Rejects without starting the work if it cannot start in time, or if the client `isGone` by then. */
    run<T>(client: string, work: () => Promise<T>, isGone = () => false): Promise<T> {
      return new Promise<T>((resolve, fail) => {
        if (!makeRoom(client)) return fail(refuse('full'));
        // The end of other work may start it, in whose context it would be counted for another client.
        const inOwnContext = AsyncLocalStorage.bind(work);
        const start = async () => {
          try {
            resolve(await inOwnContext());
          } catch (error) {
            fail(error);
          }
        };
        const queue = queues.get(client) ?? [];
        queue.push({ since: performance.now(), isGone, start, reject: fail });
        queues.set(client, queue);
        waiting += 1;
        fill();
      });
    },
    /** The amount of running and of waiting work. */
    running: () => running,
    waiting: () => waiting,
  };
}
