import { CorruptDatabaseError, type DatabaseFault, type OpenOptions, StoreUnavailableError } from './store.ts';

export type Outage = ReturnType<typeof createOutage>;

/** Longer than the timeout of a lookup, so that one client that retries does not start an outage per retry. */
const QUIET_MS = 15_000;

/** Shorter than `QUIET_MS`, so that retries without success are one outage. */
const MAX_RETRY_MS = 8_000;

/** How long to wait after a number of failures in a row. */
export const retryDelayMs = (failures: number) => Math.min(1_000 * 2 ** (failures - 1), MAX_RETRY_MS);

/** Reports the start and the end of an outage, and a damaged database, once, however many operations fail. */
export function createOutage({ onError, onRecovered }: Pick<OpenOptions, 'onError' | 'onRecovered'>) {
  let lastFailure: number | null = null;
  let failure: DatabaseFault | null = null;
  let damage: DatabaseFault | null = null;
  return {
    /** Errors of other kinds are none of the database. */
    fail(error: unknown): void {
      if (error instanceof CorruptDatabaseError) {
        if (damage === null) onError(error);
        damage ??= error;
        return;
      }
      if (!(error instanceof StoreUnavailableError)) return;
      failure = error;
      if (lastFailure === null) onError(error);
      lastFailure = performance.now();
    },
    /** Called about once a second while the database answers. */
    answer(): void {
      if (lastFailure === null || performance.now() - lastFailure < QUIET_MS) return;
      lastFailure = null;
      failure = null;
      onRecovered?.();
    },
    /** The error of the current outage, or of a damaged page, which does not end by itself. */
    current: () => damage ?? failure,
  };
}
