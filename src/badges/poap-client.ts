import type { UnixMs } from '../async/unix-time.ts';
import { BadInputError } from '../errors/bad-input.ts';
import type { Address } from '../protocol/hex.ts';
import { fetchAnswer, parseJson } from '../remote/fetch-answer.ts';
import { RemoteError, type RemoteFault } from '../remote/remote-error.ts';
import { joinUrl, readTarget } from '../remote/target.ts';
import type { Row } from '../store/schema.ts';
import { parseBadge } from './badge.ts';

/** HTTP client of the POAP API, without retries. */
export interface PoapClient {
  /** Checks whether an account holds the badge of an event. Throws a `RemoteError` if that is unknown. */
  fetchBadge(account: Address, eventId: string, signal: AbortSignal): Promise<Row<'badges'>>;
}

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

export function createPoapClient({ url, key, fetch, timeoutMs, now }: PoapClientOptions): PoapClient {
  const { url: base, host, headers } = readTarget(url);
  // Redirects are not followed: fetch would send the API key to another host.
  const init = { headers: { ...headers, accept: 'application/json', 'x-api-key': key }, redirect: 'manual' } as const;

  return {
    async fetchBadge(account, eventId, signal) {
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
