import {
  type Answer,
  createClient,
  type GetPath,
  KithError,
  type PagedPath,
  type Params,
  type PostPath,
  type RequestBody,
} from '@kith-efp/client';

/** An API call that has not been made yet. */
export interface Request<T> {
  /** The same for equal requests. */
  readonly key: string;
  readonly url: string;
  /** Of a POST. */
  readonly body?: unknown;
  load(signal: AbortSignal): Promise<T>;
}

/** A call for one page of a lookup. */
export interface PageRequest<T> extends Request<T> {
  /** Resolves to the page, and to the call for the next one; null after the last. */
  loadPage(signal: AbortSignal): Promise<{ readonly page: T; readonly next: PageRequest<T> | null }>;
}

export type ResponseOf<P extends GetPath | PostPath> = Answer<P>;

/** The types of the client depend on the path, which is a type parameter here. Those of `lookup` and `batch` are the same. */
interface AnyClient {
  urlOf(path: string, parameters: object): string;
  get(path: string, parameters: object, options: { signal: AbortSignal }): Promise<unknown>;
  post(path: string, parameters: object, body: unknown, options: { signal: AbortSignal }): Promise<unknown>;
  page(
    path: string,
    parameters: object,
    options: { signal: AbortSignal },
  ): Promise<{ answer: unknown; next: string | undefined }>;
}

/** A visitor should rather see the error than wait for longer. */
const MAX_RETRY_AFTER_S = 10;

export const client = createClient({ baseUrl: '', maxRetryAfter: MAX_RETRY_AFTER_S });
const kith = client as unknown as AnyClient;

export function lookup<P extends GetPath>(path: P, parameters: Params<P>): Request<ResponseOf<P>> {
  const url = kith.urlOf(path, parameters);
  return {
    key: url,
    url,
    // Safe: the answer has the type of its path.
    load: (signal) => kith.get(path, parameters, { signal }) as Promise<ResponseOf<P>>,
  };
}

export function pagedLookup<P extends PagedPath>(path: P, parameters: Params<P>): PageRequest<ResponseOf<P>> {
  return {
    ...lookup(path, parameters),
    async loadPage(signal) {
      const { answer, next } = await kith.page(path, parameters, { signal });
      return {
        page: answer as ResponseOf<P>,
        next: next === undefined ? null : pagedLookup(path, { ...parameters, cursor: next }),
      };
    },
  };
}

/** A lookup of many accounts, by address. */
export function batch<P extends PostPath>(
  path: P,
  parameters: Params<P>,
  body: RequestBody<P>,
): Request<ResponseOf<P>> {
  const url = kith.urlOf(path, parameters);
  return {
    key: `${url} ${JSON.stringify(body)}`,
    url,
    body,
    // Safe: the answer has the type of its path.
    load: (signal) => kith.post(path, parameters, body, { signal }) as Promise<ResponseOf<P>>,
  };
}

/** What went wrong, as a sentence. */
export function describeError(error: Error): string {
  const text = error instanceof KithError ? error.detail : error.message;
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

/** Whether the same request would fail again: what was asked for is malformed or does not exist. */
export function isWrongInput(error: Error): boolean {
  return error instanceof KithError && (error.status === 400 || error.status === 404);
}

/** Whether the account or list that was asked about does not exist. */
export function isAbsent(error: Error): boolean {
  return error instanceof KithError && error.status === 404;
}

/** Whether the graph does not have what was asked for, which may be there when more has been loaded. */
export function isNotFound(error: Error): boolean {
  return error instanceof KithError && (error.code === 'unknown-list' || error.code === 'unknown-name');
}

/** The seconds after which the same request may succeed, at least; null if it would fail again. */
export function retryAfterOf(error: Error): number | null {
  return error instanceof KithError && !isWrongInput(error) ? (error.retryAfter ?? 0) : null;
}
