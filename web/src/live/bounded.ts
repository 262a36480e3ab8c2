/** Many pages that get the same event do not ask at the same time. */
const SPREAD_MS = 1_500;

/** Calls a function soon, but not again before the interval has passed. */
export function bounded(intervalMs: number, run: () => void): () => void {
  let isDue = false;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(
      () => {
        isDue = false;
        last = performance.now();
        run();
      },
      Math.max(0, last + intervalMs - performance.now()) + Math.random() * SPREAD_MS,
    );
  };
}
