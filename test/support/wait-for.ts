import { vi } from 'vitest';

/** Repeats `check` until it passes. It fails with the last error after a minute, which is enough on a busy machine. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });
