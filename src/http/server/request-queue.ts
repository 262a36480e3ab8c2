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

/** Requests that wait for their turn, first in, first out. It is bounded, and skips requests of closed connections. */
export class RequestQueue {
  readonly #waiting: Waiting[] = [];
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#waiting.length;
  }

  add<T>(connection: Connection, query: () => Promise<T>, since = performance.now()): Promise<T> {
    if (this.#waiting.length >= this.#maxLength) return Promise.reject(OVERLOADED);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ connection, since, start: async () => query().then(resolve, reject), reject });
    });
  }

  /** Removes and returns the next request whose client is connected. */
  take(): Waiting | undefined {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.connection.destroyed) {
        next.reject(new HttpProblem('client-closed-request', 'the client closed the connection'));
      } else if (performance.now() - next.since > MAX_WAIT_MS) next.reject(OVERLOADED);
      else return next;
    }
    return undefined;
  }
}
