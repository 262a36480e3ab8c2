import { millis } from '../numbers.ts';
import type { Plot } from './plot.ts';

/** Results of one part. */
export interface Findings {
  readonly bars: readonly Bar[];
  readonly tables: readonly Table[];
  readonly plots: readonly Plot[];
}

/** A goal and the measured value. */
export interface Bar {
  readonly what: string;
  readonly bar: string;
  readonly measured: string;
  readonly isReached: boolean;
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

/** A bar for a maximum in milliseconds. */
export function below(what: string, ms: number, value: number, measured = millis(value)): Bar {
  return { what, bar: `below ${ms < 1000 ? `${ms} ms` : `${ms / 1000} s`}`, measured, isReached: value < ms };
}
