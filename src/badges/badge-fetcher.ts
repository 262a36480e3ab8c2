import type { Address } from '../protocol/hex.ts';
import type { Limiter } from '../remote/limiter.ts';
import { mayPass, RemoteError, type RemoteFault } from '../remote/remote-error.ts';
import type { Row } from '../store/schema.ts';
import type { OutageLog } from './outage-log.ts';
import type { PoapClient } from './poap-client.ts';

/** Asks POAP with patience, and no more than it can bear. */
export interface BadgeFetcher {
  fetchBadge(account: Address, eventId: string): Promise<Row<'badges'>>;
}

/** Resolves after a time, or rejects when the signal comes. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface BadgeFetcherOptions {
  readonly client: PoapClient;
  readonly limiter: Limiter;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly outage: OutageLog;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/** Somebody may be waiting: what has failed this often is left to the next who asks. */
const TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** A pause that is asked for is kept to, unless it is so long that badges would seem to be lost. */
const LONGEST_ASKED_MS = 60_000;

export function createBadgeFetcher(options: BadgeFetcherOptions): BadgeFetcher {
  const { client, limiter, sleep, random, outage, signal } = options;
  /** The pause that all requests keep. */
  let paused: Promise<unknown> | null = null;

  function pauseAll(ms: number): void {
    const over: Promise<void> = Promise.allSettled([paused, sleep(ms, signal)]).then(() => {
      if (paused === over) paused = null;
    });
    paused = over;
  }

  async function insist(account: Address, eventId: string): Promise<Row<'badges'>> {
    for (let tries = 1; ; tries++) {
      while (paused !== null) await paused;
      if (signal.aborted)
        throw new RemoteError('POAP', 'badges', { kind: 'unreachable', message: 'this process is ending' });
      try {
        return await client.fetchBadge(account, eventId, signal);
      } catch (error) {
        if (!(error instanceof RemoteError) || !mayPass(error.fault)) throw error;
        // Jitter keeps what has failed together from coming back together.
        const pause = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + random() / 2);
        const asked = pauseAskedBy(error.fault);
        if (asked !== null) pauseAll(Math.max(Math.min(asked, LONGEST_ASKED_MS), pause));
        if (tries === TRIES) throw error;
        // Rejected when the process is ending, which is seen to above.
        if (asked === null) await sleep(pause, signal).catch(() => undefined);
      }
    }
  }

  return {
    async fetchBadge(account, eventId) {
      try {
        // Pauses keep their place: while POAP is in trouble, less is asked of it.
        const badge = await limiter.run(() => insist(account, eventId));
        outage.worked();
        return badge;
      } catch (error) {
        if (!signal.aborted) outage.failed(error);
        throw error;
      }
    },
  };
}

/** How long POAP wants to be left alone by all of us; null where the trouble may be that of one request. */
function pauseAskedBy(fault: RemoteFault): number | null {
  if (fault.kind !== 'http') return null;
  return fault.retryAfterMs ?? (fault.status === 429 ? 0 : null);
}
