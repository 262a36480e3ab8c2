import { millis } from '../numbers.ts';

/** Results of one part. */
export interface Findings {
  readonly bars: readonly AdvisedBar[];
  readonly tables: readonly Table[];
}

/** A goal and the measured value. */
export interface Bar {
  readonly what: string;
  readonly bar: string;
  readonly measured: string;
  readonly isReached: boolean;
}

/** A bar of the benchmark. */
export interface AdvisedBar extends Bar {
  /** What to do when it is missed. */
  readonly advice: string;
}

export interface Table {
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A bar for a minimum. */
export function atLeast(what: string, bar: number, value: number, measured = value.toFixed(2)): Bar {
  return { what, bar: `at least ${bar.toLocaleString('en-GB')}`, measured, isReached: value >= bar };
}

/** A bar for a maximum, for example of a ratio. */
export function atMost(what: string, bar: number, unit: string, value: number, measured: string): Bar {
  return { what, bar: `at most ${bar.toLocaleString('en-GB')}${unit}`, measured, isReached: value <= bar };
}

/** A bar for a maximum in milliseconds. */
export function below(what: string, ms: number, value: number, measured = millis(value)): Bar {
  return { what, bar: `below ${ms < 1000 ? `${ms} ms` : `${ms / 1000} s`}`, measured, isReached: value < ms };
}
