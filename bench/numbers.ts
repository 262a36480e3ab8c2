export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** 12,345 */
export const whole = (value: number) => Math.round(value).toLocaleString('en-GB');

/** Milliseconds with three significant digits. */
export const millis = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)} ms`;

/** Median, with minimum and maximum in brackets. */
export const spread = (values: readonly number[], digits = 2) =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;
