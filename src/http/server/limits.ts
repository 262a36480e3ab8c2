import { AsyncLocalStorage } from 'node:async_hooks';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { compile } from '@fastify/proxy-addr';
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { createFairQueue, type Refusal } from '../../async/fair-queue.ts';
import type { MonotonicMs } from '../../async/unix-time.ts';
import { HttpProblem, OVERLOADED } from '../problems.ts';

/** At most this many requests of one client address in a window. */
interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** What clients may use of a serving process. */
export interface HttpLimits {
  /** Open connections. For a further one, the longest idle one is closed, or else the new one. */
  readonly maxConnections: number;
  /** The same for the connections of one client address, except trusted proxies. */
  readonly maxConnectionsPerClient: number;
  /** Requests are rejected while the event loop is later than this; 0: never. */
  readonly maxEventLoopDelayMs: number;
  /** Addresses and subnets of proxies, separated by commas, whose X-Forwarded-For names the client and X-Request-Id the request. */
  readonly trustProxy: string | false;
  /** Null: no limit. */
  readonly rateLimit: RateLimit | null;
  /** For requests with `cache=fresh`, which may call remote sources. */
  readonly freshRateLimit: RateLimit | null;
}

/** Whether an address is that of a trusted proxy; the one of a closed connection is undefined. */
export function proxyTest(trustProxy: HttpLimits['trustProxy']): (address: string | undefined) => boolean {
  if (trustProxy === false) return () => false;
  const isProxy = compile(trustProxy.split(','));
  return (address) => address !== undefined && isProxy(address, 0);
}

/** Proxies that append the port of the client to its address: `1.2.3.4:5678` and `[::1]:5678`. */
const WITH_PORT = /^(?:([\d.]+)|\[(.+)\]):\d+$/;
/** A network of this length is usually that of one client. */
const IPV6_NETWORK_PARTS = 4;

/** Equal for all spellings of the address of a client, and for all addresses of its IPv6 network. */
export function clientKey({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const [, v4, v6] = WITH_PORT.exec(ip) ?? [];
  const text = v4 ?? v6 ?? ip;
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, IPV6_NETWORK_PARTS).join(':') : address.toString();
}

/** Whether a request with `cache=fresh` may ask the sources. */
export type AllowFresh = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers a probe of an orchestrator, which must not be rejected. */
    isProbe?: boolean;
  }
}

interface RateLimitOptions extends Pick<HttpLimits, 'rateLimit' | 'freshRateLimit'> {
  readonly monotonic: () => MonotonicMs;
  /** Whether a request arrived on a port that is not public. */
  readonly isPrivate: (request: FastifyRequest) => boolean;
}

const MAX_CLIENTS = 5_000;

const counted = new AsyncLocalStorage<true>();

/** Runs requests of this process to itself, on behalf of a request that was counted. */
export function asCounted<T>(work: () => PromiseLike<T>): Promise<T> {
  // Awaited inside: `inject` sends its request when it is.
  return counted.run(true, async () => await work());
}

/**
 * Limits the requests of each client address, on all paths that are registered afterwards, and on unknown paths. Returns
 * the limit on requests with `cache=fresh`.
 */
export async function registerRateLimits(app: FastifyInstance, options: RateLimitOptions): Promise<AllowFresh> {
  const { rateLimit: all, freshRateLimit: fresh, monotonic, isPrivate } = options;
  await app.register(rateLimit, { global: false, keyGenerator: clientKey, store: createWindows(monotonic) });
  /** Counts a request, sets the headers of the limit, and returns the seconds until it is reset if it is exceeded. */
  const counter = ({ requests, seconds }: RateLimit) => {
    const count = app.createRateLimit({ max: requests, timeWindow: seconds * 1000 });
    return async (request: FastifyRequest, reply: FastifyReply): Promise<number | null> => {
      const window = await count(request);
      if (window.isAllowed) return null;
      reply.headers({
        'ratelimit-limit': `${window.max}`,
        'ratelimit-remaining': `${window.remaining}`,
        'ratelimit-reset': `${window.ttlInSeconds}`,
      });
      return window.isExceeded ? window.ttlInSeconds : null;
    };
  };
  if (all !== null) {
    const count = counter(all);
    app.addHook('onRequest', async (request, reply) => {
      if (request.routeOptions.config.isProbe || isPrivate(request) || counted.getStore()) return;
      const resetAfter = await count(request, reply);
      if (resetAfter === null) return;
      throw new HttpProblem('rate-limited', `more than ${all.requests} requests in ${all.seconds} seconds`, {
        headers: { 'retry-after': `${resetAfter}` },
      });
    });
  }
  if (fresh === null) return async () => true;
  const count = counter(fresh);
  return async (request, reply) => (await count(request, reply)) === null;
}

/** The plugin's own store reads the system clock: one that is set back would reject clients until it has caught up. */
function createWindows(monotonic: () => MonotonicMs): FastifyRateLimitStoreCtor {
  return class Windows implements FastifyRateLimitStore {
    readonly #windows = new LRUCache<string, { readonly since: MonotonicMs; requests: number }>({ max: MAX_CLIENTS });

    incr(
      client: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindow: number,
    ) {
      const now = monotonic();
      let window = this.#windows.get(client);
      if (window === undefined || now - window.since >= timeWindow) {
        window = { since: now, requests: 0 };
        this.#windows.set(client, window);
      }
      window.requests += 1;
      callback(null, { current: window.requests, ttl: timeWindow - (now - window.since) });
    }

    child() {
      return new Windows();
    }
  };
}

/** Of the histogram, in milliseconds. Its values include the interval between two samples. */
const RESOLUTION_MS = 10;

/**
 * Rejects requests to the routes of `app` while the event loop is late, which a limit of 0 turns off. It measures the
 * mean delay of each interval of that length. The first interval measures the start, which delays no request.
 */
export function registerOverload(app: FastifyInstance, limits: Pick<HttpLimits, 'maxEventLoopDelayMs'>): void {
  const { maxEventLoopDelayMs } = limits;
  if (maxEventLoopDelayMs === 0) return;
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const measure = () => {
    // Not a number if there was no sample: the event loop was late throughout.
    isLate = !(histogram.mean / 1e6 - RESOLUTION_MS <= maxEventLoopDelayMs);
    histogram.reset();
    timer?.refresh();
  };
  app.addHook('onListen', () => {
    histogram.enable();
    timer = setTimeout(measure, Math.max(RESOLUTION_MS, maxEventLoopDelayMs)).unref();
  });
  app.addHook('onClose', () => {
    clearTimeout(timer);
    histogram.disable();
  });
  app.addHook('onRequest', (_request, _reply, done) => done(isLate ? OVERLOADED : undefined));
}

/** A request that has waited longer is rejected: most clients have given up by then. */
const MAX_WAIT_MS = 10_000;
/** At about 20 ms per query, the last one waits 2 s. */
const MAX_WAITING = 100;

/** Runs little expensive work at once, so that it cannot delay other requests. Each client has a fair share of it. */
export function createRequestQueue(concurrency: number) {
  const queue = createFairQueue({ concurrency, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS, refuse });
  return {
    ...queue,
    run: <T>(request: FastifyRequest, work: () => Promise<T>) =>
      queue.run(clientKey(request), work, () => request.socket.destroyed),
  };
}

function refuse(reason: Refusal): HttpProblem {
  return reason === 'gone' ? new HttpProblem('client-closed-request', 'the client closed the connection') : OVERLOADED;
}
