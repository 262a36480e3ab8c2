import { RemoteError } from './remote-error.ts';

/** Concurrency limit with a bounded FIFO queue. */
export interface Limiter {
  /** Rejects with a `BusyError`, without starting the work, if the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Too many requests, so this one is not sent. */
export class BusyError extends RemoteError {
  override name = 'BusyError';

  constructor(name: string, message: string) {
    super(name, 'limit', { kind: 'unreachable', message });
  }
}

/** `name` is shown in the error message. `check` runs before the work, and may throw a `BusyError`. */
export function createLimiter(
  name: string,
  concurrency: number,
  maxQueued: number,
  check: () => void = () => undefined,
): Limiter {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < concurrency) {
        running += 1;
      } else {
        if (queue.length >= maxQueued) throw new BusyError(name, 'too many queued requests');
        await new Promise<void>((resolve) => queue.push(resolve));
      }
      try {
        check();
        return await work();
      } finally {
        // Pass the slot to the next in the queue; releasing it would let a new caller jump the queue.
        const next = queue.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
