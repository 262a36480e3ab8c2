import { type EventFilter, type EventIterator, type EventOptions, streamEvents } from './events.ts';
import { KithError, type Received, receive, wait } from './request.ts';
import type {
  Answer,
  Args,
  Entry,
  GetPath,
  Page,
  PagedPath,
  PicturePath,
  PostParams,
  PostPath,
  RequestBody,
} from './types.ts';

export type {
  ChainEvent,
  EventFilter,
  EventIterator,
  EventOptions,
  Progress,
  StreamEvent,
  UndoEvent,
} from './events.ts';
export type { components, operations, paths } from './generated/api.ts';
export { type ErrorCode, KithError } from './request.ts';
export type {
  Answer,
  Entry,
  GetPath,
  Page,
  PagedPath,
  Params,
  PicturePath,
  PostParams,
  PostPath,
  RequestBody,
  Schemas,
} from './types.ts';

export interface ClientOptions {
  /** URL of the service without `/api/v1`; empty for the origin of the page. */
  readonly baseUrl: string;
  /** The global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** How often a request is sent again after 429 or 503; 2 by default. */
  readonly retries?: number;
  /** With more seconds in `Retry-After`, a request is not sent again; 60 by default. */
  readonly maxRetryAfter?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface KithClient {
  /** The answer of a lookup. */
  get<P extends GetPath>(path: P, ...args: Args<P, [options?: RequestOptions]>): Promise<Answer<P>>;
  /** The answer of a lookup with a body. */
  post<P extends PostPath>(
    path: P,
    params: PostParams<P>,
    body: RequestBody<P>,
    options?: RequestOptions,
  ): Promise<Answer<P>>;
  /** One page of a lookup that has pages. */
  page<P extends PagedPath>(path: P, ...args: Args<P, [options?: RequestOptions]>): Promise<Page<P>>;
  /**
   * The entries of all pages, by cursor if the service has cursors. `limit` is the size of a page, by default 100, and
   * `offset` the index of the first entry.
   */
  entries<P extends PagedPath>(
    path: P,
    ...args: Args<P, [options?: RequestOptions]>
  ): AsyncGenerator<Entry<P>, void, undefined>;
  /**
   * The events of the protocol, as they are indexed. The stream is opened again after an interruption and goes on where it
   * was: no event is missed, and none is repeated unless an undo came before it.
   */
  events<P extends boolean = false>(filter?: EventFilter, options?: EventOptions<P>): EventIterator<P>;
  /** The URL that `get` requests, or that of a picture. */
  urlOf<P extends GetPath | PicturePath>(path: P, ...args: Args<P>): string;
}

/** The service answers larger pages in a queue of their own. */
const PAGE_SIZE = 100;
/** The service reads a larger `limit` as this one. */
const MAX_PAGE_SIZE = 1000;

/** The service takes so many in a URL. */
const MAX_URL_ACCOUNTS = 100;
/** `/events` has other formats too. */
const JSON_ONLY = { accept: 'application/json' };
const JSON_BODY = { 'content-type': 'application/json' };

type ParameterValues = Readonly<Record<string, string | number | undefined>>;

/** A client of the HTTP API, for browsers and Node.js. */
export function createClient({ baseUrl, fetch, retries = 2, maxRetryAfter = 60 }: ClientOptions): KithClient {
  const base = baseUrl.replace(/\/+$/, '');

  function urlOf(path: string, params: ParameterValues = {}): string {
    let url = `${base}${path === '/status' ? '' : '/api/v1'}${path}`;
    const query: string[] = [];
    for (const [name, value] of Object.entries(params)) {
      if (value === undefined) continue;
      // A comma separates tags, and is allowed in a query.
      const encoded = encodeURIComponent(value).replaceAll('%2C', ',');
      if (path.includes(`{${name}}`)) url = url.replace(`{${name}}`, () => encoded);
      else query.push(`${name}=${encoded}`);
    }
    return query.length === 0 ? url : `${url}?${query.join('&')}`;
  }

  async function request(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Received> {
    for (let retriesLeft = retries; ; retriesLeft--) {
      // The global is read for each request, because a page may replace it.
      const answer = await receive(fetch ?? globalThis.fetch, url, { ...init, signal: signal ?? null });
      if (!(answer instanceof KithError)) return answer;
      const { status, retryAfter } = answer;
      const isTemporary = (status === 429 || status === 503) && retryAfter !== null && retryAfter <= maxRetryAfter;
      if (!isTemporary || !(retriesLeft > 0)) throw answer;
      await wait(retryAfter, signal);
    }
  }

  async function get(path: string, params?: ParameterValues, { signal }: RequestOptions = {}): Promise<unknown> {
    return (await request(urlOf(path, params), { headers: JSON_ONLY }, signal)).body;
  }

  async function post(
    path: string,
    params: ParameterValues,
    body: unknown,
    { signal }: RequestOptions = {},
  ): Promise<unknown> {
    const headers = { ...JSON_ONLY, ...JSON_BODY };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await request(urlOf(path, params), init, signal)).body;
  }

  async function page(
    path: string,
    params?: ParameterValues,
    { signal }: RequestOptions = {},
  ): Promise<Page<PagedPath>> {
    const { body, headers } = await request(urlOf(path, params), {}, signal);
    return { answer: body, next: parseNextCursor(headers.get('link') ?? '') } as Page<PagedPath>;
  }

  async function* entries(
    path: string,
    params: ParameterValues = {},
    { signal }: RequestOptions = {},
  ): AsyncGenerator<unknown> {
    const limit = Math.min(Number(params.limit ?? PAGE_SIZE), MAX_PAGE_SIZE);
    let { cursor } = params;
    for (let offset = Number(params.offset ?? 0); ; offset += limit) {
      const position = cursor === undefined ? { offset } : { offset: undefined, cursor };
      const { answer, next } = await page(path, { ...params, limit, ...position }, { signal });
      // Safe: the answer of a lookup with pages is an array, or an object with one.
      const found = (Array.isArray(answer) ? answer : Object.values(answer).find(Array.isArray)) as unknown[];
      yield* found;
      // A service without cursors sends no link: only a page that is not full is then the last one.
      if (next === undefined && (cursor !== undefined || found.length < limit)) return;
      cursor = next;
    }
  }

  function events(
    { account, type, tag, since, ...filter }: EventFilter = {},
    options: EventOptions = {},
  ): EventIterator<boolean> {
    const isLong = Array.isArray(account) && account.length > MAX_URL_ACCOUNTS;
    const params = {
      ...filter,
      account: isLong ? undefined : account?.toString(),
      type: type?.toString(),
      tag: tag?.toString(),
    };
    const accept = { accept: 'text/event-stream' };
    const init = isLong
      ? { method: 'POST', headers: { ...accept, ...JSON_BODY }, body: JSON.stringify({ accounts: account }) }
      : { headers: accept };
    const connection = {
      urlOf: (position: string | undefined) => urlOf('/events', { ...params, since: position }),
      open: (url: string, signal: AbortSignal) => (fetch ?? globalThis.fetch)(url, { ...init, signal }),
    };
    return streamEvents(connection, { ...options, since, untilNow: filter.until === 'now', retries });
  }

  // Safe: `Answer` is generated from the schemas of the service.
  return { get, post, page, entries, events, urlOf } as unknown as KithClient;
}

/** The rest of the link is not used: a proxy may have changed host and path. */
function parseNextCursor(header: string): string | undefined {
  const [, target = ''] = /<([^<>]*)>[^<]*;\s*rel="?next\b/i.exec(header) ?? [];
  return new URLSearchParams(target.split('?')[1]).get('cursor') ?? undefined;
}
