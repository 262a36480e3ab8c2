import { RequestQueue, type Run } from './request-queue.ts';

/** At about 20 ms per query, the last one waits 2 s. */
const MAX_WAITING = 100;

export interface HeavyLane {
  readonly run: Run;
  /** The number of running queries. */
  running(): number;
  /** The number of queued queries. */
  waiting(): number;
}

/** Runs few expensive queries at once, so that they cannot delay the others. */
export function createHeavyLane(concurrency: number): HeavyLane {
  const queue = new RequestQueue(MAX_WAITING);
  let running = 0;
  const fill = () => {
    while (running < concurrency) {
      const next = queue.take();
      if (next === undefined) break;
      running += 1;
      void next.start().finally(() => {
        running -= 1;
        // Not at once: Node handles up to 1,000 messages of a thread in one turn of the event loop, as long as they keep coming.
        setImmediate(fill);
      });
    }
  };
  return {
    run(connection, query) {
      const result = queue.add(connection, query);
      fill();
      return result;
    },
    running: () => running,
    waiting: () => queue.length,
  };
}
