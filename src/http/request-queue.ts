import type { ClientConnection } from './client-connection.ts';
import { HttpProblem, OVERLOADED } from './problems.ts';

/** Runs a query of a request when its turn comes. */
export type Run = <T>(client: ClientConnection, query: () => Promise<T>) => Promise<T>;

interface Waiting {
  readonly client: ClientConnection;
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

  add<T>(client: ClientConnection, query: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= this.#maxLength) return Promise.reject(OVERLOADED);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ client, start: async () => query().then(resolve, reject), reject });
    });
  }

  /** Removes and returns the next request whose client is connected; undefined if there is none yet. */
  take(): Waiting | undefined {
    for (let left = this.#waiting.length; left > 0; left--) {
      const next = this.#waiting.shift();
      if (next === undefined) return undefined;
      const state = next.client.state();
      if (state === 'gone') next.reject(new HttpProblem('client-closed-request', 'the client closed the connection'));
      else if (performance.now() - next.client.since > MAX_WAIT_MS) next.reject(OVERLOADED);
      else if (state === 'connected') return next;
      else this.#waiting.push(next);
    }
    return undefined;
  }
}
