/** Keeps the times of the two clocks apart; plain numbers are assignable to both. */
declare const clock: unique symbol;

/**
 * A point in time as milliseconds since the Unix epoch, as `Date.now()` returns it. For times that are stored or shown:
 * the system clock can be set, so the difference of two of them is no duration.
 */
export type UnixMs = number & { readonly [clock]?: 'unix' };

/**
 * A point in time by the monotonic clock, as `performance.now()` returns it. For durations within one process: ages,
 * intervals, deadlines.
 */
export type MonotonicMs = number & { readonly [clock]?: 'monotonic' };

export const readMonotonic = (): MonotonicMs => performance.now();

/**
 * Whether a stored time is less than `maxMs` ago. A time in the future was written by a clock that was ahead: it counts as
 * now, but not if it is farther away than `maxMs`, or it would stay recent for as long as the clock was ahead.
 */
export function isRecent(time: UnixMs, maxMs: number, now: UnixMs): boolean {
  return Math.abs(now - time) < maxMs;
}

/** More than the clocks of two servers differ. */
const MAX_SKEW_MS = 60_000;

/** Whether a stored time was written by a clock that was ahead, so that a later write may have an earlier time. */
export function isAhead(time: UnixMs, now: UnixMs): boolean {
  return time > now + MAX_SKEW_MS;
}
