/** The intervals that the page offers. */
export type Interval = 'day' | 'week' | 'month' | 'all';

export const ACTIONS = ['follow', 'tag', 'untag', 'unfollow'] as const;
export type Action = (typeof ACTIONS)[number];

export interface Bucket {
  /** In milliseconds; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly counts: Readonly<Record<Action, number>>;
  readonly total: number;
}

export interface Entry {
  readonly action: string;
  readonly updated_at: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LENGTHS = {
  day: { whole: DAY, bucket: HOUR },
  week: { whole: 7 * DAY, bucket: 6 * HOUR },
  month: { whole: 30 * DAY, bucket: DAY },
};
/** Of the buckets of all time; the first that needs at most MAX_BUCKETS is used. */
const STEPS = [HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY, 360 * DAY];
const MAX_BUCKETS = 48;

/**
 * Counts actions in buckets of equal length, the oldest first. They cover the interval that ends at `end`, or the time
 * since the oldest action if that interval is all time or `isPart`: then older actions are not known.
 */
export function bucketsOf(entries: readonly Entry[], interval: Interval, end: number, isPart: boolean): Bucket[] {
  const times = entries.map(({ updated_at }) => Date.parse(updated_at));
  const oldest = times.reduce((min, time) => Math.min(min, time), end);
  const whole = interval === 'all' || isPart ? Math.max(HOUR, end - oldest + 1000) : LENGTHS[interval].whole;
  const length =
    interval === 'all' || isPart
      ? (STEPS.find((step) => whole / step <= MAX_BUCKETS) ?? whole / MAX_BUCKETS)
      : LENGTHS[interval].bucket;
  const count = Math.ceil(whole / length);
  // The interval includes its end.
  const last = end + 1000;
  const buckets = Array.from({ length: count }, (_, index) => ({
    start: last - (count - index) * length,
    end: last - (count - index - 1) * length,
    counts: { follow: 0, tag: 0, untag: 0, unfollow: 0 },
    total: 0,
  }));
  for (const [index, { action }] of entries.entries()) {
    const bucket = buckets[count - 1 - Math.floor((last - 1 - (times[index] ?? end)) / length)];
    if (bucket === undefined || !isAction(action)) continue;
    bucket.counts[action] += 1;
    bucket.total += 1;
  }
  return buckets;
}

function isAction(text: string): text is Action {
  return (ACTIONS as readonly string[]).includes(text);
}
