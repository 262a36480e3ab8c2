import type { Reader } from '../store/store.ts';
import { RequestQueue, type Run } from './request-queue.ts';

/** Bounds how long the first response of a batch waits for the last query. */
const MAX_BATCH = 32;
/** The same for slow queries: other connections, such as those of health checks, are served between batches. */
const MAX_BATCH_MS = 10;
/** At 0.1 ms per query, the last one waits 200 ms. */
const MAX_WAITING = 2_000;

/**
 * Runs the queries of one event-loop turn in one read snapshot. They share one read transaction and one check of the
 * data version: a page of followers takes 73 µs instead of 100.
 */
export function createBatcher(inSnapshot: Reader['inSnapshot']): Run {
  const queue = new RequestQueue(MAX_WAITING);
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    setImmediate(flush);
  };
  const flush = () => {
    isScheduled = false;
    let started = 0;
    const end = performance.now() + MAX_BATCH_MS;
    try {
      inSnapshot(() => {
        // At least one, also if the snapshot took long to open.
        for (; started < MAX_BATCH && (started === 0 || performance.now() < end); started++) {
          const next = queue.take();
          if (next === undefined) break;
          void next.start();
        }
      });
    } catch (error) {
      for (; started < MAX_BATCH; started++) queue.take()?.reject(error);
    }
    schedule();
  };
  return (connection, query) => {
    const result = queue.add(connection, query);
    schedule();
    return result;
  };
}
