import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { RemoteError, type RemoteFault } from '../../remote/remote-error.ts';
import { createHostLookup, type HostAddress, type HostLookup } from './host-lookup.ts';
import { isPublicAddress } from './is-public-address.ts';

export interface GuardedResponse {
  readonly status: number;
  readonly text: string;
}

/** Requests an untrusted URL: GET, or POST of a JSON body. Throws a `RemoteError`. */
export type GuardedFetch = (url: string, body?: string) => Promise<GuardedResponse>;

export interface GuardedFetchOptions {
  /** DNS lookup of all addresses of a host. */
  readonly lookup?: HostLookup;
  /** Whether to allow connections to an IP address. */
  readonly isAllowed?: (address: string) => boolean;
  /** Total time for DNS, connections, redirects and the body. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Aborts requests in progress. */
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 2 ** 20;
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Redirects that keep method and body; the others become a GET, as in browsers. */
const METHOD_PRESERVING_REDIRECTS = [307, 308];

interface Request {
  readonly url: URL;
  readonly body: string | undefined;
}

/**
 * A fetch with SSRF protection for attacker-controlled URLs. It connects to the addresses that it has checked, which
 * prevents DNS rebinding; the global `fetch` would resolve the host a second time.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { lookup = createHostLookup(), isAllowed = isPublicAddress } = options;
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal } = options;
  const active = new Set<AbortController>();
  // One listener for all requests: one each on a long-lived signal would trigger Node's leak warning.
  signal?.addEventListener('abort', () => {
    for (const ending of active) ending.abort();
  });

  /** Rejects the host if any of its addresses is not allowed. */
  async function resolveHost(url: URL): Promise<readonly HostAddress[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const addresses = family === 0 ? await lookup(host) : [{ address: host, family }];
    if (addresses.length === 0) throw failure(url, { kind: 'unreachable', message: 'the host has no address' });
    if (!addresses.every(({ address }) => isAllowed(address))) {
      // The message omits the address, which would disclose the internal network.
      throw failure(url, { kind: 'unreachable', message: 'the host has a non-public address' });
    }
    return addresses;
  }

  async function sendRequest({ url, body }: Request, ending: AbortSignal): Promise<IncomingMessage> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw failure(url, { kind: 'unreachable', message: 'the URL is neither http nor https' });
    }
    if (url.username !== '' || url.password !== '') {
      throw failure(url, { kind: 'unreachable', message: 'the URL contains credentials' });
    }
    const addresses = await resolveHost(url);
    ending.throwIfAborted();
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          // Some gateways reject requests without one.
          'user-agent': 'kith',
          // Prevents decompression bombs.
          'accept-encoding': 'identity',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        // No connection reuse: a pooled connection would bypass the address check.
        agent: false,
        lookup: pinnedLookup(addresses),
        signal: ending,
      });
      request.on('error', reject);
      request.on('response', (response) => {
        // A redirect's body is not read, so its errors need a listener.
        response.on('error', () => undefined);
        resolve(response);
      });
      request.end(body);
    });
  }

  async function followRedirects(first: Request, ending: AbortSignal): Promise<GuardedResponse> {
    let request = first;
    for (let hops = 0; ; hops++) {
      const response = await sendRequest(request, ending);
      const next = redirectOf(request, response);
      if (next === null) return readResponse(request.url, response, maxBytes);
      response.destroy();
      if (hops === MAX_REDIRECTS) throw failure(request.url, { kind: 'malformed', message: 'too many redirects' });
      request = next;
    }
  }

  return async (text, body) => {
    const url = parseUrl(text);
    const ending = new AbortController();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      ending.abort();
    }, timeoutMs);
    active.add(ending);
    if (signal?.aborted) ending.abort();
    try {
      // A DNS lookup cannot be aborted, so stop waiting for it.
      return await Promise.race([followRedirects({ url, body }, ending.signal), rejectOn(ending.signal)]);
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      if (timedOut) throw failure(url, { kind: 'timeout' });
      const { code, name } = error as { code?: string; name: string };
      throw failure(url, { kind: 'unreachable', message: code ?? name });
    } finally {
      clearTimeout(timer);
      active.delete(ending);
      // Closes sockets that are still open.
      ending.abort();
    }
  };
}

function failure(url: URL, fault: RemoteFault): RemoteError {
  return new RemoteError(url.host, 'gateway', fault);
}

function parseUrl(text: string, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch {
    throw new RemoteError('a gateway', 'gateway', { kind: 'unreachable', message: 'the URL is invalid' });
  }
}

/** A `lookup` that returns the checked addresses in place of a second DNS query (DNS rebinding). */
function pinnedLookup(addresses: readonly HostAddress[]): LookupFunction {
  const [first] = addresses;
  return (_host, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** The next request of a redirect; null for any other response. */
function redirectOf({ url, body }: Request, { statusCode = 0, headers }: IncomingMessage): Request | null {
  if (!REDIRECTS.includes(statusCode) || headers.location === undefined) return null;
  const next = parseUrl(headers.location, url);
  return { url: next, body: METHOD_PRESERVING_REDIRECTS.includes(statusCode) ? body : undefined };
}

async function readResponse(url: URL, response: IncomingMessage, maxBytes: number): Promise<GuardedResponse> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = response.headers;
  const fail = (message: string) => failure(url, { kind: 'malformed', message });
  if (encoding.toLowerCase() !== 'identity') throw fail('a compressed response');
  const tooLarge = `more than ${maxBytes} bytes`;
  if (Number(length) > maxBytes) throw fail(tooLarge);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw fail(tooLarge);
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') };
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
