import type { Address } from '../protocol/hex.ts';
import type { CallBudget } from '../remote/call-budget.ts';
import type { Limiter } from '../remote/limiter.ts';
import { isTransient, RemoteError, type RemoteFault } from '../remote/remote-error.ts';
import type { Row } from '../store/schema.ts';
import type { OutageLog } from './outage-log.ts';
import type { PoapClient } from './poap-client.ts';

/** A client waits for a requested badge. A stored badge that is stale is refreshed while it is served. */
export type Urgency = 'requested' | 'refresh';

export type BadgeFetcher = ReturnType<typeof createBadgeFetcher>;

/** Rejects when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface BadgeFetcherOptions {
  readonly client: PoapClient;
  readonly limiter: Limiter;
  /** Each urgency has its share of the calls, so that neither starves the other. */
  readonly budgets: Readonly<Record<Urgency, CallBudget>>;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly outage: OutageLog;
  /** Aborts requests in progress. */
  readonly signal: AbortSignal;
}

/** Few, because a client may be waiting for the response. */
const MAX_ATTEMPTS = 3;
const INITIAL_BACKOFF_MS = 500;
/** Limits the Retry-After that is honoured. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Fetches badges with a concurrency limit, and retries with exponential backoff. */
export function createBadgeFetcher(options: BadgeFetcherOptions) {
  const { client, limiter, budgets, sleep, random, outage, signal } = options;
  /** Pending during a rate limit of POAP; all requests wait for it. */
  let paused: Promise<unknown> | null = null;

  function pauseAll(ms: number): void {
    const pause: Promise<void> = Promise.allSettled([paused, sleep(ms, signal)]).then(() => {
      if (paused === pause) paused = null;
    });
    paused = pause;
  }

  async function fetchWithRetry(account: Address, eventId: string, budget: CallBudget): Promise<Row<'badges'>> {
    for (let attempt = 1; ; attempt++) {
      while (paused !== null) await paused;
      if (signal.aborted)
        throw new RemoteError('POAP', 'badges', { kind: 'unreachable', message: 'the process is shutting down' });
      budget.check();
      budget.spend();
      try {
        return await client.fetchBadge(account, eventId, signal);
      } catch (error) {
        if (!(error instanceof RemoteError) || !isTransient(error.fault)) throw error;
        // Jitter, so that requests that failed together are not retried together.
        const backoff = INITIAL_BACKOFF_MS * 2 ** (attempt - 1) * (0.5 + random() / 2);
        const retryAfter = retryAfterOf(error.fault);
        if (retryAfter !== null) pauseAll(Math.max(Math.min(retryAfter, MAX_RETRY_AFTER_MS), backoff));
        if (attempt === MAX_ATTEMPTS) throw error;
        // Rejects on shutdown, which the loop checks.
        if (retryAfter === null) await sleep(backoff, signal).catch(() => undefined);
      }
    }
  }

  return {
    async fetchBadge(account: Address, eventId: string, urgency: Urgency): Promise<Row<'badges'>> {
      try {
        // Retries keep their slot of the concurrency limit, which reduces the load on a failing service.
        const badge = await limiter.run(() => fetchWithRetry(account, eventId, budgets[urgency]));
        outage.onSuccess();
        return badge;
      } catch (error) {
        if (!signal.aborted) outage.onFailure(error);
        throw error;
      }
    },
  };
}

/** The pause for all requests after a rate limit or Retry-After; null if the failure concerns one request. */
function retryAfterOf(fault: RemoteFault): number | null {
  if (fault.kind !== 'http') return null;
  return fault.retryAfterMs ?? (fault.status === 429 ? 0 : null);
}
