import { type MonotonicMs, readMonotonic } from './unix-time.ts';

/** A token bucket. `burst` is how many calls an idle one allows at once. */
export function createRateLimit(perSecond: number, burst = 1, now: () => MonotonicMs = readMonotonic) {
  const intervalMs = 1_000 / perSecond;
  const savedMs = (burst - 1) * intervalMs;
  /** The next call may start then. It is in the future after more calls than the limit allows. */
  let nextAt: MonotonicMs = Number.NEGATIVE_INFINITY;
  return {
    /** How long no call may start. */
    delayMs: (): number => Math.max(nextAt - now(), 0),
    /** Counts calls, which may exceed the limit, or takes back some that were not made. */
    spend(calls: number): void {
      nextAt = Math.max(nextAt, now() - savedMs) + calls * intervalMs;
    },
    /** Whether it has saved up as many calls as it can. */
    isFull: (): boolean => nextAt <= now() - savedMs,
  };
}
