import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import { createFairQueue, type Refusal } from '../async/fair-queue.ts';
import { createRateLimit } from '../async/rate-limit.ts';
import type { MonotonicMs } from '../async/unix-time.ts';
import { BusyError } from './remote-error.ts';
import { currentClient } from './request-context.ts';
import type { SourceMetrics } from './source-metrics.ts';

export type SourceQueue = ReturnType<typeof createSourceQueue>;

export interface SourceQueueOptions {
  /** Shown in error messages, in the log and as a label of metrics. */
  readonly name: string;
  /** Lookups at the same time. */
  readonly concurrency: number;
  readonly callsPerSecond: number;
  readonly maxWaiting: number;
  /** How long a lookup waits for its turn. */
  readonly maxWaitMs: number;
  /** A lookup that takes longer goes on without its slot. */
  readonly holdMs?: number;
  readonly monotonic: () => MonotonicMs;
  /** A rate limit that delays lookups is logged once, and again only after it did not. */
  readonly logger: Pick<Logger, 'warn'>;
  /** Counts lookups that are not made. */
  readonly metrics: Pick<SourceMetrics, 'rejected'>;
}

/** How many seconds' worth of calls an idle process saves up: enough for a page, or a small batch, of unknown names. */
const BURST_SECONDS = 5;
const REASONS: Record<Refusal, string> = {
  full: 'too many lookups wait',
  late: 'the rate limit is reached',
  gone: 'the client is gone',
};

/** The lookups of a source that may charge for its calls: a rate limit for all clients, with a fair share for each. */
export function createSourceQueue(options: SourceQueueOptions) {
  const { name, callsPerSecond, monotonic, logger, metrics, ...limits } = options;
  const rate = createRateLimit(callsPerSecond, Math.max(callsPerSecond * BURST_SECONDS, 1), monotonic);
  /** Per lookup: whether its first call has been counted when it got its turn, so that lookups that start together do not overdraw the limit. */
  const reserved = new AsyncLocalStorage<{ call: boolean }>();
  let isReported = false;

  const queue = createFairQueue({
    ...limits,
    delayMs() {
      if (rate.isFull()) isReported = false;
      const delay = rate.delayMs();
      if (delay > 0 && !isReported) {
        logger.warn({ source: name }, 'rate limit of a source reached, serving stored data');
        isReported = true;
      }
      return delay;
    },
    refuse(reason) {
      metrics.rejected(name);
      return new BusyError(name, REASONS[reason]);
    },
  });
  return {
    /** Rejects with a `BusyError` if the lookup does not get its turn in time. */
    ask: <T>(lookup: () => Promise<T>): Promise<T> =>
      queue.run(currentClient(), async () => {
        const reservation = { call: true };
        rate.spend(1);
        try {
          return await reserved.run(reservation, lookup);
        } finally {
          if (reservation.call) rate.spend(-1);
        }
      }),
    /** Counts a call. It may overdraw the limit, because a lookup that has begun is finished. */
    spend() {
      const reservation = reserved.getStore();
      if (reservation?.call) reservation.call = false;
      else rate.spend(1);
    },
  };
}
