import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, fetch as undiciFetch } from 'undici';
import { fetchAnswer, type RemoteAnswer } from './fetch-answer.ts';
import { isPublicAddress } from './is-public-address.ts';
import { RemoteError } from './remote-error.ts';

export type GuardedResponse = Pick<RemoteAnswer, 'status' | 'text'>;

/** Requests an untrusted URL: GET, or POST of a JSON body. Throws a `RemoteError`. */
export type GuardedFetch = (url: string, body?: string, timeoutMs?: number) => Promise<GuardedResponse>;

export interface GuardedFetchOptions {
  /** DNS lookup of all addresses of a host. */
  readonly lookup?: HostLookup;
  /** Whether to allow connections to an IP address. */
  readonly isAllowed?: (address: string) => boolean;
  /** Total time for DNS, connections, redirects and the body. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** The media types that are asked for; JSON by default. */
  readonly accept?: string;
  /** Aborts requests in progress. */
  readonly signal?: AbortSignal;
}

export const TIMEOUT_MS = 5_000;
const MAX_BYTES = 2 ** 20;
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Redirects that keep method and body; the others become a GET, as in browsers. */
const METHOD_PRESERVING_REDIRECTS = [307, 308];

/**
 * A fetch with SSRF protection for attacker-controlled URLs. The addresses of a host are checked by the `lookup` of its
 * connection, which prevents DNS rebinding; redirects are followed here, so that each of them is checked.
 */
export function createGuardedFetch(
  options: GuardedFetchOptions = {},
): (...request: Parameters<GuardedFetch>) => Promise<RemoteAnswer> {
  const { lookup = createHostLookup(), isAllowed = isPublicAddress } = options;
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal } = options;
  const { accept = 'application/json' } = options;

  /** Rejects a host if any of its addresses is not allowed. */
  function requireAllowed(host: string, addresses: readonly HostAddress[]): readonly HostAddress[] {
    if (addresses.length === 0) throw unreachable(host, 'the host has no address');
    if (addresses.every(({ address }) => isAllowed(address))) return addresses;
    // The message omits the address, which would disclose the internal network.
    throw unreachable(host, 'the host has a non-public address');
  }

  const guardedLookup: LookupFunction = (host, { all }, callback) => {
    lookup(host)
      .then((addresses) => requireAllowed(host, addresses))
      .then(
        (addresses) => {
          if (all) callback(null, [...addresses]);
          else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
        },
        (error: Error) => callback(error, ''),
      );
  };

  async function sendRequest(url: URL, body: string | undefined, deadline: number): Promise<RemoteAnswer> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw unreachable(url.host, 'the URL is neither http nor https');
    }
    if (url.username !== '' || url.password !== '') throw unreachable(url.host, 'the URL contains credentials');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // A connection to an IP address needs no lookup.
    if (isIP(host) !== 0) requireAllowed(url.host, [{ address: host, family: isIP(host) }]);
    // One per request, without keep-alive: an attacker could name any number of hosts.
    const dispatcher = new Agent({ connect: { lookup: guardedLookup }, pipelining: 0 });
    const headers = {
      accept,
      // Some gateways reject requests without one.
      'user-agent': 'kith',
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    try {
      return await fetchAnswer({
        url: url.href,
        init: { headers, redirect: 'manual', ...(body === undefined ? {} : { method: 'POST', body }) },
        host: url.host,
        label: 'gateway',
        // Safe: undici's fetch is the one of Node.js.
        fetch: ((input: string, init: object) => undiciFetch(input, { ...init, dispatcher })) as never,
        timeoutMs: Math.max(deadline - performance.now(), 0),
        maxBytes,
        signal,
      });
    } finally {
      // Closes sockets that are still open.
      void dispatcher.destroy();
    }
  }

  return async (text, body, limitMs = timeoutMs) => {
    const deadline = performance.now() + Math.min(limitMs, timeoutMs);
    let url = parseUrl(text);
    let sentBody = body;
    for (let hops = 0; ; hops++) {
      const answer = await sendRequest(url, sentBody, deadline);
      if (!REDIRECTS.includes(answer.status) || answer.location === null) return answer;
      if (hops === MAX_REDIRECTS) {
        throw new RemoteError(url.host, 'gateway', { kind: 'malformed', message: 'too many redirects' });
      }
      url = parseUrl(answer.location, url);
      if (!METHOD_PRESERVING_REDIRECTS.includes(answer.status)) sentBody = undefined;
    }
  };
}

function unreachable(host: string, message: string): RemoteError {
  return new RemoteError(host, 'gateway', { kind: 'unreachable', message });
}

function parseUrl(text: string, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch {
    throw unreachable('a gateway', 'the URL is invalid');
  }
}

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves all addresses of a host; rejects if there is none. */
export type HostLookup = (host: string) => Promise<readonly HostAddress[]>;

type DnsResolver = Pick<Resolver, 'resolve4' | 'resolve6'>;

/**
 * Queries DNS directly. `dns.lookup` would block a thread of the libuv pool for as long as an untrusted name server
 * takes, and would resolve names from /etc/hosts.
 */
export function createHostLookup(resolver: DnsResolver = new Resolver({ timeout: 2_000, tries: 2 })): HostLookup {
  return async (host) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    // Many hosts have only one address family, and a missing one is reported as a failure.
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [...found(four, 4), ...found(six, 6)];
  };
}

function found(result: PromiseSettledResult<string[]>, family: number): HostAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}
