import type { Bar } from '../bench/report/findings.ts';

/** A trial of real Kith processes from outside. */
export interface Drill {
  readonly name: string;
  readonly title: string;
  /** Exceeding it fails the drill. */
  readonly limitMinutes: number;
  run(trial: Trial): Promise<readonly Bar[]>;
}

export interface Trial {
  readonly isQuick: boolean;
  readonly seed: number;
  readonly soakMinutes: number;
  /** Temporary, removed afterwards. */
  readonly folder: string;
  /** Logs progress. */
  readonly log: (line: string) => void;
  /** Runs work when the drill has ended, the last one first. */
  defer(work: () => Promise<void> | void): void;
}

/** A bar that is either met or not. */
export function holds(what: string, bar: string, isReached: boolean, measured: string): Bar {
  return { what, bar, measured, isReached };
}

/** A bar for a maximum. */
export function atMost(what: string, bar: number, value: number, unit = ''): Bar {
  const text = (number: number) => `${number.toLocaleString('en-GB', { maximumFractionDigits: 2 })}${unit}`;
  return { what, bar: `at most ${text(bar)}`, measured: text(value), isReached: value <= bar };
}

/** A figure without a bar. */
export function figure(what: string, measured: string): Bar {
  return { what, bar: '–', measured, isReached: true };
}
