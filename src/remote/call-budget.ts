import type { UnixMs } from '../async/unix-time.ts';
import { BusyError } from './limiter.ts';

/** A rate limit on calls to a source that may charge for them (token bucket). */
export interface CallBudget {
  /** Throws a `BusyError` if the budget is used up. */
  check(): void;
  /** Counts a call. It may overdraw the budget, because a lookup that has begun is finished. */
  spend(): void;
}

export interface CallBudgetOptions {
  /** Shown in the error message. */
  readonly name: string;
  readonly callsPerSecond: number;
  readonly now: () => UnixMs;
  /** Called once when the budget is used up, and again only after it was full in between. */
  readonly onUsedUp: () => void;
  /** Called for each rejected lookup. */
  readonly onRejected: () => void;
}

/** How much an idle process saves up: enough for a page, or a small batch, of unknown names. */
const BURST_SECONDS = 5;

export function createCallBudget(options: CallBudgetOptions): CallBudget {
  const { name, callsPerSecond, now, onUsedUp, onRejected } = options;
  const capacity = Math.max(callsPerSecond * BURST_SECONDS, 1);
  let calls = capacity;
  let refilledAt = Number.NEGATIVE_INFINITY;
  let isReported = false;

  function refill(): void {
    const time = now();
    // The system clock can be set back.
    calls = Math.min(calls + (Math.max(time - refilledAt, 0) * callsPerSecond) / 1_000, capacity);
    refilledAt = time;
    if (calls === capacity) isReported = false;
  }

  return {
    check() {
      refill();
      if (calls >= 1) return;
      onRejected();
      if (!isReported) onUsedUp();
      isReported = true;
      throw new BusyError(name, 'the rate limit is reached');
    },
    spend() {
      refill();
      calls -= 1;
    },
  };
}

/** A `fetch` that calls `onRequest` before each request. */
export function createCountedFetch(fetch: typeof globalThis.fetch, onRequest: () => void): typeof globalThis.fetch {
  return (...request) => {
    onRequest();
    return fetch(...request);
  };
}
