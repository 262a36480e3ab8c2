import { pino } from 'pino';
import { DEFAULT_BADGE_EVENTS } from '../../src/config/badge-events.ts';
import { buildApp } from '../../src/http/app.ts';
import { createLookups, type LookupSources } from '../../src/lookup/lookups.ts';
import { noProfileRefresher } from '../../src/names/on-demand/profile-refresher.ts';
import type { Store } from '../../src/store/store.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field, and say what they expect there.
  readonly json: any;
}

/** The service on a port of its own. */
export interface Service {
  readonly url: string;
  /** GET of a path below /api/v1. */
  get(path: string, init?: RequestInit): Promise<Answer>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly now?: () => number;
  readonly cacheBytes?: number;
  readonly indexedChains?: readonly number[];
  /** In place of what is stored. */
  readonly sources?: Partial<LookupSources>;
  /** Gets what is logged. */
  readonly log?: (line: string) => void;
}

/** Serves `store` as `kith serve` does. */
export async function startService(store: Store, options: ServiceOptions = {}): Promise<Service> {
  const { now = Date.now, cacheBytes = 2 ** 24, indexedChains = [], sources = {}, log = () => undefined } = options;
  const lookups = createLookups(store, {
    kinds: { names: 'none', badges: 'none' },
    names: null,
    profiles: noProfileRefresher,
    badges: null,
    badgeEvents: DEFAULT_BADGE_EVENTS,
    ...sources,
  });
  const logger = pino({ level: 'debug' }, { write: log });
  const app = await buildApp({ store, lookups, logger, cacheBytes, indexedChains, now });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    get: (path, init) => fetchAnswer(`${url}/api/v1${path}`, init),
    close: () => app.close(),
  };
}

export async function fetchAnswer(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}
