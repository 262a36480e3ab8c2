import type { Socket } from 'node:net';
import { HttpProblem, OVERLOADED } from '../problems.ts';

/** The connection of the client. */
type Connection = Pick<Socket, 'destroyed'>;

/** Runs a query of a request when its turn comes. */
export type Run = <T>(connection: Connection, query: () => Promise<T>) => Promise<T>;

interface Waiting {
  readonly connection: Connection;
  /** As of `performance.now()`. */
  readonly since: number;
  /** Starts the query; resolves when it has settled. */
  start(): Promise<void>;
  reject(error: unknown): void;
}

/** A request that has waited longer is rejected: most clients have given up by then. */
const MAX_WAIT_MS = 10_000;

/** At about 20 ms per query, the last one waits 2 s. */
const MAX_WAITING = 100;

export interface HeavyLane {
  readonly run: Run;
  /** The number of running queries. */
  running(): number;
  /** The number of queued queries. */
  waiting(): number;
}

/**
 * Runs few expensive queries at once, so that they cannot delay the others. The rest wait for their turn, first in, first
 * out; those whose client has closed the connection are skipped.
 */
export function createHeavyLane(concurrency: number): HeavyLane {
  const queue: Waiting[] = [];
  let running = 0;
  const start = (next: Waiting) => {
    running += 1;
    void next.start().finally(() => {
      running -= 1;
      // Not at once: Node handles up to 1,000 messages of a thread in one turn of the event loop, as long as they keep coming.
      setImmediate(fill);
    });
  };
  const fill = () => {
    while (running < concurrency) {
      const next = queue.shift();
      if (next === undefined) break;
      if (next.connection.destroyed) {
        next.reject(new HttpProblem('client-closed-request', 'the client closed the connection'));
      } else if (performance.now() - next.since > MAX_WAIT_MS) next.reject(OVERLOADED);
      else start(next);
    }
  };
  return {
    run<T>(connection: Connection, query: () => Promise<T>) {
      if (queue.length >= MAX_WAITING) return Promise.reject(OVERLOADED);
      return new Promise<T>((resolve, reject) => {
        const start = async () => query().then(resolve, reject);
        queue.push({ connection, since: performance.now(), start, reject });
        fill();
      });
    },
    running: () => running,
    waiting: () => queue.length,
  };
}
