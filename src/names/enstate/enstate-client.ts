import { asObject, BadInputError } from '../../protocol/bad-input.ts';
import type { UnixMs } from '../../protocol/unix-time.ts';
import { fetchAnswer, type RemoteAnswer } from '../../remote/fetch-answer.ts';
import { RemoteError, type RemoteFault, requireRemote } from '../../remote/remote-error.ts';
import { joinUrl, readTarget } from '../../remote/target.ts';
import { parseBody, parseBulk, parseEntryStatus, parseLimit } from './parse-bulk.ts';

/** The result of one query. enstate responds with 404 to an unknown query, and also when its own node fails. */
export type Reply<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** `requestedAt` is taken before the request. */
  | { readonly kind: 'not-found' | 'not-owned'; readonly requestedAt: UnixMs }
  | { readonly kind: 'failed'; readonly error: RemoteError };

export type Replies<Q extends string, T> = ReadonlyMap<Q, Reply<T>>;

/** Parses the profile found for a query. Throws a `BadInputError` if it is invalid or belongs to another query. */
export type Parse<Q extends string, T> = (json: Readonly<Record<string, unknown>>, query: Q) => T;

/** HTTP client of an enstate server, without retries. */
export interface EnstateClient {
  /** Known maximum of queries per bulk request. */
  readonly limit: number;
  fetchOne<Q extends string, T>(query: Q, fresh: boolean, parse: Parse<Q, T>): Promise<Reply<T>>;
  /** Returns null if the server rejected the number of queries; `limit` is then lower. */
  fetchBulk<Q extends string, T>(
    queries: readonly Q[],
    fresh: boolean,
    parse: Parse<Q, T>,
  ): Promise<Replies<Q, T> | null>;
  /** Creates an error of this server for a query. */
  fail(query: string, fault: RemoteFault): RemoteError;
}

export interface EnstateClientOptions {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  /** Aborts requests in progress. */
  readonly signal?: AbortSignal | undefined;
  readonly now: () => UnixMs;
}

/** Default bulk limit of enstate. */
export const DEFAULT_LIMIT = 10;
/** A query and its control. */
const MIN_LIMIT = 2;
/** Ten profiles, each many times larger than a typical one. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20;

export function createEnstateClient({ url, fetch, timeoutMs, signal, now }: EnstateClientOptions): EnstateClient {
  const { host, headers, hide, url: base } = readTarget(url);
  let limit = DEFAULT_LIMIT;

  const failure = (label: string, fault: RemoteFault) =>
    new RemoteError(host, label, fault.kind === 'malformed' ? { ...fault, message: hide(fault.message) } : fault);

  function get(path: string, parameters: readonly string[], label: string): Promise<RemoteAnswer> {
    const target = joinUrl(base, path, parameters);
    const init = { headers: { ...headers, accept: 'application/json' } };
    return fetchAnswer({ url: target, init, host, label, fetch, timeoutMs, maxBytes: MAX_RESPONSE_BYTES, signal });
  }

  /** Converts a `BadInputError` to a `RemoteError`. */
  function attempt<T>(label: string, read: () => T): T | RemoteError {
    try {
      return read();
    } catch (error) {
      if (error instanceof BadInputError) return failure(label, { kind: 'malformed', message: error.message });
      throw error;
    }
  }

  function readFound<Q extends string, T>(json: unknown, query: Q, parse: Parse<Q, T>): Reply<T> {
    const value = attempt(query, () => parse(asObject(json), query));
    return value instanceof RemoteError ? { kind: 'failed', error: value } : { kind: 'found', value };
  }

  function readStatus(status: number, retryAfterMs: number | null, query: string, requestedAt: UnixMs): Reply<never> {
    if (status === 404) return { kind: 'not-found', requestedAt };
    if (status === 422) return { kind: 'not-owned', requestedAt };
    return { kind: 'failed', error: failure(query, { kind: 'http', status, retryAfterMs }) };
  }

  function readEntry<Q extends string, T>(entry: unknown, query: Q, requestedAt: UnixMs, parse: Parse<Q, T>): Reply<T> {
    const status = attempt(query, () => parseEntryStatus(entry));
    if (status instanceof RemoteError) return { kind: 'failed', error: status };
    return status === null ? readFound(entry, query, parse) : readStatus(status, null, query, requestedAt);
  }

  return {
    get limit() {
      return limit;
    },
    fail: failure,
    async fetchOne(query, fresh, parse) {
      const requestedAt = now();
      try {
        const response = await get(`u/${encodeURIComponent(query)}`, freshParameter(fresh), query);
        if (response.status !== 200) return readStatus(response.status, response.retryAfterMs, query, requestedAt);
        const body = attempt(query, () => parseBody(response.text));
        return body instanceof RemoteError ? { kind: 'failed', error: body } : readFound(body, query, parse);
      } catch (error) {
        return { kind: 'failed', error: requireRemote(error) };
      }
    },
    async fetchBulk(queries, fresh, parse) {
      // Some servers return results in query order, others in byte order: sort so that both are the same.
      const sorted = [...new Set(queries)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const label = `bulk of ${sorted.length}`;
      const all = (error: RemoteError) => new Map(sorted.map((query) => [query, { kind: 'failed', error } as const]));
      const requestedAt = now();
      try {
        const parameters = sorted.map((query) => `queries[]=${encodeURIComponent(query)}`);
        const { status, text, retryAfterMs } = await get('bulk/u', [...parameters, ...freshParameter(fresh)], label);
        const allowed = status === 400 ? parseLimit(text) : null;
        if (allowed !== null && Math.max(allowed, MIN_LIMIT) < sorted.length) {
          limit = Math.min(limit, Math.max(allowed, MIN_LIMIT));
          return null;
        }
        if (status !== 200) return all(failure(label, { kind: 'http', status, retryAfterMs }));
        const entries = attempt(label, () => parseBulk(text, sorted.length));
        if (entries instanceof RemoteError) return all(entries);
        return new Map(sorted.map((query, index) => [query, readEntry(entries[index], query, requestedAt, parse)]));
      } catch (error) {
        return all(requireRemote(error));
      }
    },
  };
}

function freshParameter(fresh: boolean): readonly string[] {
  return fresh ? ['fresh=true'] : [];
}
