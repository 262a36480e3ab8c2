export { setTimeout as sleep } from 'node:timers/promises';

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The slope of a line through points, by least squares. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((total, point) => total + of(point), 0) / points.length;
  const [x, y] = [mean(([value]) => value), mean(([, value]) => value)];
  const above = points.reduce((total, point) => total + (point[0] - x) * (point[1] - y), 0);
  const below = points.reduce((total, point) => total + (point[0] - x) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

/** Waits until `isTrue`. Returns false after the time limit. */
export async function until(isTrue: () => Promise<boolean> | boolean, limitMs: number, everyMs = 50): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if (await isTrue()) return true;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return isTrue();
}
