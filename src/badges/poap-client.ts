import type { Logger } from 'pino';
import type { UnixMs } from '../async/unix-time.ts';
import { BadInputError } from '../errors/bad-input.ts';
import type { Address } from '../protocol/hex.ts';
import { fetchAnswer, parseJson } from '../remote/fetch-answer.ts';
import type { Sleep } from '../remote/on-demand.ts';
import { BusyError, isTransient, RemoteError, type RemoteFault } from '../remote/remote-error.ts';
import type { SourceQueue } from '../remote/source-queue.ts';
import { joinUrl, readTarget } from '../remote/target.ts';
import type { Row } from '../store/schema.ts';
import { parseBadge } from './badge.ts';

/** HTTP client of the POAP API, without retries. */
export type PoapClient = ReturnType<typeof createPoapClient>;

export interface PoapClientOptions {
  /** Base URL; may have a path and a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly now: () => UnixMs;
}

/** A typical badge has 2 kB. */
const MAX_RESPONSE_BYTES = 2 ** 20;

export function createPoapClient({ url, key, fetch, timeoutMs, now }: PoapClientOptions) {
  const { url: base, host, headers } = readTarget(url);
  // Redirects are not followed: fetch would send the API key to another host.
  const init = { headers: { ...headers, accept: 'application/json', 'x-api-key': key }, redirect: 'manual' } as const;

  return {
    /** Checks whether an account holds the badge of an event. Throws a `RemoteError` if that is unknown. */
    async fetchBadge(account: Address, eventId: string, signal: AbortSignal): Promise<Row<'badges'>> {
      const label = `badge of event ${eventId}`;
      const fail = (fault: RemoteFault) => new RemoteError(host, label, fault);
      // Taken before the request, so that the check is never older than `checked_at`.
      const checkedAt = now();
      const { status, text, retryAfterMs } = await fetchAnswer({
        url: joinUrl(base, `actions/scan/${account}/${encodeURIComponent(eventId)}`),
        init,
        host,
        label,
        fetch,
        timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        signal,
      });
      const body = parseJson(text);
      switch (status) {
        case 200: {
          const badge = parseHeldBadge(body, checkedAt, fail);
          if (badge.event_id !== eventId) throw fail({ kind: 'malformed', message: 'a badge of another event' });
          if (badge.address !== account) throw fail({ kind: 'malformed', message: 'a badge of another account' });
          return badge;
        }
        case 404:
          if (!isNotHeld(body)) throw fail({ kind: 'malformed', message: 'a 404 that is not from the POAP API' });
          return { address: account, event_id: eventId, collection: null, checked_at: checkedAt };
        default:
          throw fail({ kind: 'http', status, retryAfterMs });
      }
    },
  };
}

function parseHeldBadge(body: unknown, checkedAt: UnixMs, fail: (fault: RemoteFault) => RemoteError): Row<'badges'> {
  try {
    return parseBadge(body, checkedAt);
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    // Drops the received value from the message: it is untrusted and may contain the API key.
    throw fail({ kind: 'malformed', message: error.message.split(', got ', 1).join() });
  }
}

/** Distinguishes "not held" from the 404 of a proxy, or of an API gateway that does not know the route. */
function isNotHeld(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return !('message' in body && /\broute\b/i.test(String(body.message)));
}

/** Rejects with a `RemoteError` if it is unknown whether an account holds the badge of an event. */
export type BadgeFetch = (account: Address, eventId: string) => Promise<Row<'badges'>>;

export interface BadgeFetcherOptions {
  readonly client: PoapClient;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly logger: OutageLogger;
  /** Aborts requests in progress. */
  readonly signal: AbortSignal;
}

/** Few, because a client may be waiting for the response. */
const MAX_ATTEMPTS = 3;
const INITIAL_BACKOFF_MS = 500;
/** Limits the Retry-After that is honoured. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Fetches badges when it is the turn of a queue, and retries with exponential backoff. */
export function createBadgeFetcher({ client, sleep, random, logger, signal }: BadgeFetcherOptions) {
  const outage = createOutageLog(logger);
  /** Pending during a rate limit of POAP; all requests wait for it. */
  let paused: Promise<unknown> | null = null;

  function pauseAll(ms: number): void {
    const pause: Promise<void> = Promise.allSettled([paused, sleep(ms, signal)]).then(() => {
      if (paused === pause) paused = null;
    });
    paused = pause;
  }

  async function fetchWithRetry(account: Address, eventId: string, queue: SourceQueue): Promise<Row<'badges'>> {
    for (let attempt = 1; ; attempt++) {
      while (paused !== null) await paused;
      if (signal.aborted)
        throw new RemoteError('POAP', 'badges', { kind: 'unreachable', message: 'the process is shutting down' });
      queue.spend();
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

  return (queue: SourceQueue): BadgeFetch =>
    async (account, eventId) => {
      try {
        // Retries keep their slot of the concurrency limit, which reduces the load on a failing service.
        const badge = await queue.ask(() => fetchWithRetry(account, eventId, queue));
        outage.onSuccess();
        return badge;
      } catch (error) {
        if (!signal.aborted) outage.onFailure(error);
        throw error;
      }
    };
}

/** The pause for all requests after a rate limit or Retry-After; null if the failure concerns one request. */
function retryAfterOf(fault: RemoteFault): number | null {
  if (fault.kind !== 'http') return null;
  return fault.retryAfterMs ?? (fault.status === 429 ? 0 : null);
}

type OutageLogger = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;

/** Logs the start and the end of an outage once, not with every failed request. */
function createOutageLog(logger: OutageLogger) {
  const logged = new Set<'key' | 'service'>();
  return {
    onFailure(error: unknown): void {
      if (error instanceof BusyError) return;
      logger.debug({ err: error }, 'badge fetch failed');
      const status = error instanceof RemoteError && error.fault.kind === 'http' ? error.fault.status : 0;
      const isKey = status === 401 || status === 403;
      if (logged.has(isKey ? 'key' : 'service')) return;
      logged.add(isKey ? 'key' : 'service');
      if (!isKey) logger.warn({ err: error }, 'POAP unavailable, serving stored badges');
      else
        logger.error(
          `POAP rejected the API key (HTTP ${status}), serving stored badges: set POAP_API_KEY to a valid key`,
        );
    },
    onSuccess(): void {
      if (logged.size > 0) logger.info('POAP available again');
      logged.clear();
    },
  };
}
