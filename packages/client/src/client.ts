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
  Schemas,
} from './types.ts';

export type { components, operations, paths } from './generated/api.ts';
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
  /** The URL that `get` requests, or that of a picture. */
  urlOf<P extends GetPath | PicturePath>(path: P, ...args: Args<P>): string;
}

/** The codes of the service, `network` if no answer arrived, and `unexpected-answer` if it is not one of Kith. */
export type ErrorCode = Schemas['Problem']['code'] | 'network' | 'unexpected-answer';

export class KithError extends Error {
  override readonly name = 'KithError';
  declare readonly url: string;
  /** HTTP status, 0 if no answer arrived. */
  declare readonly status: number;
  declare readonly code: ErrorCode;
  /** What went wrong, for a person. */
  declare readonly detail: string;
  /** Seconds of `Retry-After`, or null. */
  declare readonly retryAfter: number | null;

  constructor(failure: Pick<KithError, 'url' | 'status' | 'code' | 'detail' | 'retryAfter'>, options?: ErrorOptions) {
    super(`${failure.detail} (${failure.url})`, options);
    Object.assign(this, failure);
  }
}

/** The service answers larger pages in a queue of their own. */
const PAGE_SIZE = 100;
/** The service reads a larger `limit` as this one. */
const MAX_PAGE_SIZE = 1000;

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
    return (await request(urlOf(path, params), {}, signal)).body;
  }

  async function post(
    path: string,
    params: ParameterValues,
    body: unknown,
    { signal }: RequestOptions = {},
  ): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
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

  // Safe: `Answer` is generated from the schemas of the service.
  return { get, post, page, entries, urlOf } as unknown as KithClient;
}

interface Received {
  readonly body: unknown;
  readonly headers: Headers;
}

/** Resolves to the body and the headers of a successful answer, or to the error of another. */
async function receive(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Received | KithError> {
  try {
    const response = await fetch(url, init);
    const body = parseJson(await response.text());
    const { status, headers } = response;
    if (response.ok && body !== undefined) return { body, headers };
    const retryAfter = parseRetryAfter(headers.get('retry-after') ?? '');
    // Safe: the fields are checked below.
    const { code, detail } = (body ?? {}) as Partial<Schemas['Problem']>;
    return typeof code === 'string' && typeof detail === 'string'
      ? new KithError({ url, status, code, detail, retryAfter })
      : new KithError({ url, status, code: 'unexpected-answer', detail: `unexpected answer, ${status}`, retryAfter });
  } catch (error) {
    // An abort is not a failure of the network.
    init.signal?.throwIfAborted();
    const failure = { url, status: 0, code: 'network', detail: 'no answer arrived', retryAfter: null } as const;
    throw new KithError(failure, { cause: error });
  }
}

/** Returns seconds. A proxy may send a date instead. */
function parseRetryAfter(header: string): number | null {
  if (/^\d+$/.test(header)) return Number(header);
  const time = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(Math.ceil((time - Date.now()) / 1000), 0);
}

/** The rest of the link is not used: a proxy may have changed host and path. */
function parseNextCursor(header: string): string | undefined {
  const [, target = ''] = /<([^<>]*)>[^<]*;\s*rel="?next\b/i.exec(header) ?? [];
  return new URLSearchParams(target.split('?')[1]).get('cursor') ?? undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}
