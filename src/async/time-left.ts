import type { MonotonicMs } from './unix-time.ts';

/** How much of a task was done at some time. */
export interface Sample {
  readonly at: MonotonicMs;
  readonly done: number;
}

/** The rate changes with the data, so only the last minutes count. */
const WINDOW_MS = 600_000;
const SPACING_MS = 5_000;
/** Over a shorter time, and with rates that differ more between its halves, there is no estimate. */
const MIN_MS = 60_000;
const MAX_CHANGE = 2;

/** Adds a sample to those of the last minutes. One that is too close to the one before it is dropped. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && sample.at - last.at < SPACING_MS) return samples;
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample];
}

/** The time until `total` is done; null while the rate is unknown or not stable. */
export function secondsLeft(samples: readonly Sample[], total: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < MIN_MS) return null;
  const middle = samples.findLast(({ at }) => at <= (first.at + last.at) / 2) ?? first;
  const [before, after] = [perSecond(first, middle), perSecond(middle, last)];
  const isStable = Math.min(before, after) > 0 && Math.max(before, after) <= MAX_CHANGE * Math.min(before, after);
  return isStable ? Math.ceil((total - last.done) / perSecond(first, last)) : null;
}

function perSecond(from: Sample, to: Sample): number {
  return ((to.done - from.done) / (to.at - from.at)) * 1000;
}

const UNITS = [
  ['minute', 60, 90 * 60],
  ['hour', 3_600, 36 * 3_600],
  ['day', 86_400, Number.POSITIVE_INFINITY],
] as const;

/** For example "about 3 hours left". */
export function describeTimeLeft(seconds: number): string {
  const [unit, length] = UNITS.find(([, , end]) => seconds < end) ?? UNITS[2];
  const count = Math.max(1, Math.round(seconds / length));
  return `about ${count} ${unit}${count === 1 ? '' : 's'} left`;
}
