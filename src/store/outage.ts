/** Reports the start and the end of an outage once, however many operations fail in between. */
export interface Outage {
  fail(error: Error): void;
  /** Called about once a second while the database answers. */
  answer(): void;
}

export interface OutageOptions {
  /** Called when an outage of the database begins, and with errors of background work, which reject no promise. */
  readonly onError: (error: Error) => void;
  /** Called when an outage has ended. */
  readonly onRecovered?: () => void;
}

/** Longer than the timeout of a lookup, so that one client that retries does not start an outage per retry. */
const QUIET_MS = 15_000;

export function createOutage({ onError, onRecovered }: OutageOptions): Outage {
  let lastFailure: number | null = null;
  return {
    fail(error) {
      if (lastFailure === null) onError(error);
      lastFailure = performance.now();
    },
    answer() {
      if (lastFailure === null || performance.now() - lastFailure < QUIET_MS) return;
      lastFailure = null;
      onRecovered?.();
    },
  };
}
