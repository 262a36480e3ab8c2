import { RemoteError } from './remote-error.ts';

/** Does so much at a time, lets so much wait, and turns the rest away. */
export interface Limiter {
  /** Rejects with a `BusyError` when too much is waiting already; who waits is served in order. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** There is no room to wait in; nothing has been done. */
export class BusyError extends RemoteError {
  override name = 'BusyError';

  constructor(who: string) {
    super(who, 'queue', { kind: 'unreachable', message: 'too many requests are waiting' });
  }
}

/** `who` is limited, for the error that tells of it. */
export function createLimiter(who: string, concurrency: number, maxWaiting: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < concurrency) {
        running += 1;
      } else {
        if (waiting.length >= maxWaiting) throw new BusyError(who);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      try {
        return await work();
      } finally {
        // A place is handed on, not given back: whoever comes at this moment would overtake those who wait.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
