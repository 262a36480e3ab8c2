import { setTimeout } from 'node:timers/promises';
import { createRateLimit } from '../async/rate-limit.ts';

/** What the plan of a provider allows for each node. Null for no limit. */
export interface RpcLimits {
  readonly callsPerSecond: number | null;
  readonly callsInFlight: number | null;
}

/** The limit of one node, over everything that a process asks it. */
export type NodeLimit = ReturnType<typeof createNodeLimit>;

/** Parts of the limit for the processes that use a node at the same time. */
const SHARES = { index: 1 / 2, serve: 1 / 4, verify: 1 / 4 };

export interface NodeLimitsOptions {
  readonly limits: RpcLimits;
  readonly use: keyof typeof SHARES;
  /** Number of serving processes. */
  readonly workers: number;
  /** The nodes that names are read from. Serving processes use no others. */
  readonly nameUrls: readonly string[];
}

/** The limit of a node. Endpoints with the same URL share one. */
export type LimitOf = (url: string) => NodeLimit;

export function createNodeLimits({ limits, use, workers, nameUrls }: NodeLimitsOptions): LimitOf {
  const known = new Map<string, NodeLimit>();
  const shareOf = (url: string) => {
    if (use === 'serve') return SHARES.serve / workers;
    return use === 'index' && !nameUrls.includes(url) ? SHARES.index + SHARES.serve : SHARES[use];
  };
  return (url) => {
    const share = shareOf(url);
    const limit =
      known.get(url) ??
      createNodeLimit({
        callsPerSecond: limits.callsPerSecond && limits.callsPerSecond * share,
        callsInFlight: limits.callsInFlight && Math.max(1, Math.floor(limits.callsInFlight * share)),
      });
    known.set(url, limit);
    return limit;
  };
}

const MONOTONIC = {
  now: () => performance.now(),
  sleep: (ms: number, signal: AbortSignal | undefined): Promise<unknown> => setTimeout(ms, undefined, { signal }),
};

export function createNodeLimit({ callsPerSecond, callsInFlight }: RpcLimits, { now, sleep } = MONOTONIC) {
  const perSecond = callsPerSecond ?? Number.POSITIVE_INFINITY;
  const maxInFlight = callsInFlight ?? Number.POSITIVE_INFINITY;
  const rate = createRateLimit(perSecond, 1, now);
  let inFlight = 0;
  let onFree = () => {};
  let queue: Promise<void> = Promise.resolve();

  const admit = async (calls: number, signal: AbortSignal | undefined) => {
    while (inFlight > 0 && inFlight + calls > maxInFlight) {
      await new Promise<void>((resolve) => {
        onFree = resolve;
      });
    }
    const delayMs = rate.delayMs();
    if (delayMs > 0) await sleep(delayMs, signal);
    rate.spend(calls);
    inFlight += calls;
  };

  return {
    /** The most calls of one batch: half a second's worth, so that two full ones do not exceed a second's limit. */
    maxBatch: Math.max(1, Math.floor(Math.min(perSecond / 2, maxInFlight))),
    /** Sends calls in order of arrival, as soon as the limit allows it. */
    async run<T>(calls: number, send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const admitted = queue.then(() => admit(calls, signal));
      // The next call waits its turn even if this one was aborted.
      queue = admitted.catch(() => undefined);
      await admitted;
      try {
        return await send();
      } finally {
        inFlight -= calls;
        onFree();
      }
    },
  };
}

export const UNLIMITED = createNodeLimit({ callsPerSecond: null, callsInFlight: null });
