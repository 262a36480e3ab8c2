import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { DEFAULT_BADGE_EVENTS } from '../../src/config/settings.ts';
import { type AppOptions, buildApp } from '../../src/http/app.ts';
import type { HttpLimits } from '../../src/http/server/limits.ts';
import type { EventLimits } from '../../src/live/hub.ts';
import { createLookups, type LookupOptions } from '../../src/lookup/lookups.ts';
import { noProfileRefresher } from '../../src/names/on-demand/profile-refresher.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { Store } from '../../src/store/store.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields and assert their values.
  readonly json: any;
}

/** A running service. */
export interface Service {
  /** Base URL of the port that it listens on. */
  readonly url: string;
  /** Requests a path below /api/v1 with `app.inject`, without a socket. */
  get(path: string, init?: InjectInit): Promise<Answer>;
  close(): Promise<void>;
}

interface InjectInit {
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ServiceOptions {
  readonly now?: () => number;
  /** By default it goes with `now`. */
  readonly monotonic?: () => number;
  readonly cacheBytes?: number;
  readonly spoolBytes?: number;
  readonly maxLagSeconds?: number;
  readonly blockWaitMs?: number;
  readonly limits?: Partial<HttpLimits>;
  readonly eventLimits?: Partial<EventLimits>;
  readonly publicUrl?: string;
  readonly fetchPicture?: AppOptions['fetchPicture'];
  readonly servesMcp?: boolean;
  /** Replaces the default, which answers from the store only. */
  readonly sources?: Partial<LookupOptions>;
  readonly sourceMetrics?: AppOptions['sourceMetrics'];
  /** Receives each log line. */
  readonly log?: (line: string) => void;
}

/** Serves a store as `kith serve` does. */
export async function startService(store: Store, options: ServiceOptions = {}): Promise<Service> {
  const {
    now = Date.now,
    monotonic = now,
    cacheBytes = 2 ** 24,
    spoolBytes = 2 ** 30,
    maxLagSeconds = null,
    publicUrl = null,
    servesMcp = true,
  } = options;
  const { sources = {}, log = () => undefined } = options;
  const lookups = createLookups(store, {
    kinds: { names: 'none', badges: 'none' },
    names: null,
    profiles: noProfileRefresher,
    badges: null,
    badgeEvents: DEFAULT_BADGE_EVENTS,
    profileUrl: 'https://efp.app',
    ...sources,
  });
  const limits: HttpLimits = {
    maxConnections: 10_000,
    maxConnectionsPerClient: 10_000,
    // Off: loading a graph in the process of the test blocks its event loop.
    maxEventLoopDelayMs: 0,
    trustProxy: false,
    rateLimit: null,
    freshRateLimit: null,
    ...options.limits,
  };
  const eventLimits: EventLimits = {
    maxStreams: 10_000,
    maxStreamsPerClient: 10_000,
    maxStreamMs: 3_600_000,
    ...options.eventLimits,
  };
  const logger = pino({ level: 'debug' }, { write: log });
  const { sourceMetrics, blockWaitMs } = options;
  const app = await buildApp({
    ...{
      store,
      lookups,
      logger,
      cacheBytes,
      spoolBytes,
      maxLagSeconds,
      blockWaitMs,
      limits,
      eventLimits,
      deployment: deployments.mainnet,
      shutdownDelayMs: 0,
      random: Math.random,
      publicUrl,
      fetchPicture: options.fetchPicture ?? null,
      servesMcp,
      now,
      monotonic,
      sourceMetrics,
    },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    get: (path, init) => injectRequest(app, `/api/v1${path}`, init),
    close: () => app.close(),
  };
}

async function injectRequest(app: FastifyInstance, url: string, init: InjectInit = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = init;
  const response = await app.inject({ url, method, headers, ...(body === undefined ? {} : { payload: body }) });
  const entries = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return toAnswer(response.statusCode, new Headers(entries), response.payload);
}

export async function fetchAnswer(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  return toAnswer(response.status, response.headers, await response.text());
}

function toAnswer(status: number, headers: Headers, text: string): Answer {
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '');
  return { status, headers, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
}
