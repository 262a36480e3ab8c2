import { LRUCache } from 'lru-cache';
import type { UnixMs } from '../async/unix-time.ts';
import { currentClient } from './client-context.ts';
import { BusyError } from './limiter.ts';

export type CallBudget = ReturnType<typeof createCallBudget>;

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
/** What one client may use of the budget, so that it leaves something to the others. */
const CLIENT_SHARE = 0.5;
const MAX_CLIENTS = 10_000;

/** A token bucket. */
class Bucket {
  readonly #perSecond: number;
  readonly #capacity: number;
  #calls: number;
  #refilledAt = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#capacity = Math.max(perSecond * BURST_SECONDS, 1);
    this.#calls = this.#capacity;
  }

  /** The calls that are left at a time. */
  at(time: UnixMs): number {
    // The system clock can be set back.
    const refill = (Math.max(time - this.#refilledAt, 0) * this.#perSecond) / 1_000;
    this.#calls = Math.min(this.#calls + refill, this.#capacity);
    this.#refilledAt = time;
    return this.#calls;
  }

  isFullAt(time: UnixMs): boolean {
    return this.at(time) === this.#capacity;
  }

  spend(time: UnixMs): void {
    this.#calls = this.at(time) - 1;
  }
}

/** A rate limit on calls to a source that may charge for them, for all clients together and for each. */
export function createCallBudget(options: CallBudgetOptions) {
  const { name, callsPerSecond, now, onUsedUp, onRejected } = options;
  const all = new Bucket(callsPerSecond);
  const clients = new LRUCache<string, Bucket>({ max: MAX_CLIENTS });
  let isReported = false;

  function ofClient(): Bucket {
    const client = currentClient();
    if (client === undefined) return all;
    let bucket = clients.get(client);
    if (bucket === undefined) clients.set(client, (bucket = new Bucket(callsPerSecond * CLIENT_SHARE)));
    return bucket;
  }

  /** A full budget may be reported again. */
  function readTime(): UnixMs {
    const time = now();
    if (all.isFullAt(time)) isReported = false;
    return time;
  }

  return {
    /** Throws a `BusyError` if the budget, or the share of the client, is used up. */
    check(): void {
      const time = readTime();
      const isUsedUp = all.at(time) < 1;
      if (!isUsedUp && ofClient().at(time) >= 1) return;
      onRejected();
      if (!isUsedUp) throw new BusyError(name, 'the share of the client is used up');
      if (!isReported) onUsedUp();
      isReported = true;
      throw new BusyError(name, 'the rate limit is reached');
    },
    /** Counts a call. It may overdraw the budget, because a lookup that has begun is finished. */
    spend(): void {
      const time = readTime();
      all.spend(time);
      const client = ofClient();
      if (client !== all) client.spend(time);
    },
  };
}
