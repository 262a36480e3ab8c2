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

export interface LimiterOptions {
  /** Runs before the work, and may throw a `BusyError`. */
  readonly check?: () => void;
  /** Work that takes longer goes on without its slot, which another one gets. */
  readonly holdMs?: number;
}

/** `name` is shown in the error message. */
export function createLimiter(
  name: string,
  concurrency: number,
  maxQueued: number,
  { check, holdMs }: LimiterOptions = {},
): Limiter {
  const queue: (() => void)[] = [];
  let running = 0;
  const release = () => {
    // Pass the slot to the next in the queue; releasing it would let a new caller jump the queue.
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    async run(work) {
      if (running < concurrency) {
        running += 1;
      } else {
        if (queue.length >= maxQueued) throw new BusyError(name, 'too many queued requests');
        await new Promise<void>((resolve) => queue.push(resolve));
      }
      let isHeld = true;
      const end = () => {
        if (isHeld) release();
        isHeld = false;
      };
      const timer = holdMs === undefined ? undefined : setTimeout(end, holdMs);
      try {
        check?.();
        return await work();
      } finally {
        clearTimeout(timer);
        end();
      }
    },
  };
}
