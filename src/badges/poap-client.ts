import { BadInputError } from '../protocol/bad-input.ts';
import type { Address } from '../protocol/hex.ts';
import { fetchAnswer, parseJson } from '../remote/fetch-answer.ts';
import { RemoteError, type RemoteFault } from '../remote/remote-error.ts';
import { readTarget, urlBelow } from '../remote/target.ts';
import type { Row } from '../store/schema.ts';
import { parseBadge } from './badge.ts';

/** POAP's API. It is asked once and what it says is told faithfully; when to ask again is for others to decide. */
export interface PoapClient {
  /** Whether an account holds the badge of an event. Throws a `RemoteError` where that is not told. */
  fetchBadge(account: Address, eventId: string, signal: AbortSignal): Promise<Row<'badges'>>;
}

export interface PoapClientOptions {
  /** Where the API begins: may have a path, and a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A badge is some two thousand bytes. */
const LONGEST_ANSWER = 2 ** 20;

export function createPoapClient({ url, key, fetch, timeoutMs, now }: PoapClientOptions): PoapClient {
  const { url: base, host, headers } = readTarget(url);
  const init = { headers: { ...headers, accept: 'application/json', 'x-api-key': key } };
  // A redirect is no answer: fetch would carry the key along to whatever host it names.
  const fetchHere: typeof fetch = (input, given) => fetch(input, { ...given, redirect: 'manual' });

  return {
    async fetchBadge(account, eventId, signal) {
      const label = `badge of event ${eventId}`;
      const fail = (fault: RemoteFault) => new RemoteError(host, label, fault);
      // Taken before the request: the answer may be newer than it claims, never older.
      const checkedAt = now();
      const { status, text, retryAfterMs } = await fetchAnswer({
        url: urlBelow(base, `actions/scan/${account}/${encodeURIComponent(eventId)}`),
        init,
        host,
        label,
        fetch: fetchHere,
        timeoutMs,
        maxBytes: LONGEST_ANSWER,
        signal,
      });
      const body = parseJson(text);
      switch (status) {
        case 200: {
          const badge = parseAnswer(body, checkedAt, fail);
          if (badge.event_id !== eventId) throw fail({ kind: 'malformed', message: 'the badge of another event' });
          if (badge.address !== account) throw fail({ kind: 'malformed', message: 'the badge of another account' });
          return badge;
        }
        case 404:
          if (!isNotHeld(body)) throw fail({ kind: 'malformed', message: "a 404 that is not the API's own" });
          return { address: account, event_id: eventId, collection: null, checked_at: checkedAt };
        default:
          throw fail({ kind: 'http', status, retryAfterMs });
      }
    },
  };
}

function parseAnswer(body: unknown, checkedAt: number, fail: (fault: RemoteFault) => RemoteError): Row<'badges'> {
  try {
    return parseBadge(body, checkedAt);
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    // What was got instead is left out: it is somebody else's text, and may repeat the key.
    throw fail({ kind: 'malformed', message: error.message.split(', got ', 1).join() });
  }
}

/** Told from the page of a proxy, and from a gateway that does not know the path: neither has looked for a badge. */
function isNotHeld(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return !('message' in body && /\broute\b/i.test(String(body.message)));
}
