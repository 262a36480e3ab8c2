import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { RemoteError, type RemoteFault } from '../../remote/remote-error.ts';
import { createHostLookup, type HostAddress, type HostLookup } from './host-lookup.ts';
import { isPublicAddress } from './is-public-address.ts';

export interface GuardedAnswer {
  readonly status: number;
  readonly text: string;
}

/** Gets what a stranger's URL leads to: with a body it is posted as JSON. Throws a `RemoteError`. */
export type GuardedFetch = (url: string, body?: string) => Promise<GuardedAnswer>;

export interface GuardedFetchOptions {
  /** Finds all addresses of a host. */
  readonly lookup?: HostLookup;
  /** Whether an IP address may be connected to. */
  readonly isAllowed?: (address: string) => boolean;
  /** For all of it: finding the address, connecting, redirects and the body. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Ends requests under way: nobody waits for the answers any more. */
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 2 ** 20;
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Those that have always been followed with the same method. */
const KEEPING_REDIRECTS = [307, 308];

interface Request {
  readonly url: URL;
  readonly body: string | undefined;
}

/**
 * Asks URLs that anybody may have written, and so may lead to what only this machine can reach. Not the global fetch:
 * that looks a host up by itself, so the address that was checked need not be the one that is connected to.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { lookup = createHostLookup(), isAllowed = isPublicAddress } = options;
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal } = options;
  const underWay = new Set<AbortController>();
  // One listener for all: many on a signal that lives as long as the process look like a leak.
  signal?.addEventListener('abort', () => {
    for (const ending of underWay) ending.abort();
  });

  /** All addresses of the host, each allowed: one that is not tells what the others are worth. */
  async function findAddresses(url: URL): Promise<readonly HostAddress[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const addresses = family === 0 ? await lookup(host) : [{ address: host, family }];
    if (addresses.length === 0) throw failure(url, { kind: 'unreachable', message: 'it has no address' });
    if (!addresses.every(({ address }) => isAllowed(address))) {
      // Which address that is would tell a stranger about the network around us.
      throw failure(url, { kind: 'unreachable', message: 'its address is not a public one' });
    }
    return addresses;
  }

  async function fetchHop({ url, body }: Request, ending: AbortSignal): Promise<IncomingMessage> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw failure(url, { kind: 'unreachable', message: 'its URL is neither http nor https' });
    }
    if (url.username !== '' || url.password !== '') {
      throw failure(url, { kind: 'unreachable', message: 'its URL carries a password' });
    }
    const addresses = await findAddresses(url);
    ending.throwIfAborted();
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          // What is small on the way could be large when unpacked.
          'accept-encoding': 'identity',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        // A connection of its own, which no other request can find open.
        agent: false,
        lookup: answerWith(addresses),
        signal: ending,
      });
      request.on('error', reject);
      request.on('response', (response) => {
        // Where its body is not wanted, nobody listens to what becomes of it.
        response.on('error', () => undefined);
        resolve(response);
      });
      request.end(body);
    });
  }

  async function fetchAll(first: Request, ending: AbortSignal): Promise<GuardedAnswer> {
    let request = first;
    for (let hops = 0; ; hops++) {
      const response = await fetchHop(request, ending);
      const next = nextRequest(request, response);
      if (next === null) return readAnswer(request.url, response, maxBytes);
      response.destroy();
      if (hops === MAX_REDIRECTS) throw failure(request.url, { kind: 'malformed', message: 'too many redirects' });
      request = next;
    }
  }

  return async (text, body) => {
    const url = parseUrl(text);
    const ending = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ending.abort();
    }, timeoutMs);
    underWay.add(ending);
    if (signal?.aborted) ending.abort();
    try {
      // Looking up an address cannot be ended, only no longer waited for.
      return await Promise.race([fetchAll({ url, body }, ending.signal), rejectOn(ending.signal)]);
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      if (isLate) throw failure(url, { kind: 'timeout' });
      const { code, name } = error as { code?: string; name: string };
      throw failure(url, { kind: 'unreachable', message: code ?? name });
    } finally {
      clearTimeout(timer);
      underWay.delete(ending);
      // Whatever is still open is of no more use.
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
    throw new RemoteError('a gateway', 'gateway', { kind: 'unreachable', message: 'its URL is none' });
  }
}

/** Connects to what was checked, whatever the name leads to by now. */
function answerWith(addresses: readonly HostAddress[]): LookupFunction {
  const [first] = addresses;
  return (_host, { all }, answer) => {
    if (all) answer(null, [...addresses]);
    else answer(null, first?.address ?? '', first?.family);
  };
}

/** Where a redirect leads, or null when the response is none. */
function nextRequest({ url, body }: Request, { statusCode = 0, headers }: IncomingMessage): Request | null {
  if (!REDIRECTS.includes(statusCode) || headers.location === undefined) return null;
  const next = parseUrl(headers.location, url);
  return { url: next, body: KEEPING_REDIRECTS.includes(statusCode) ? body : undefined };
}

async function readAnswer(url: URL, response: IncomingMessage, maxBytes: number): Promise<GuardedAnswer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = response.headers;
  const fail = (message: string) => failure(url, { kind: 'malformed', message });
  if (encoding.toLowerCase() !== 'identity') throw fail('a compressed answer');
  const tooMuch = `more than ${maxBytes} bytes`;
  if (Number(length) > maxBytes) throw fail(tooMuch);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw fail(tooMuch);
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
