import { asObject, BadInputError } from '../../protocol/bad-input.ts';
import { fetchAnswer, type RemoteAnswer } from '../../remote/fetch-answer.ts';
import { RemoteError, type RemoteFault, requireRemote } from '../../remote/remote-error.ts';
import { readTarget, urlBelow } from '../../remote/target.ts';
import { parseBody, parseBulk, parseEntryStatus, parseLimit } from './parse-bulk.ts';

/** What the server said to one query. That something is not found, it also says when it could not look. */
export type Reply<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** `askedAt` is the time before the request. */
  | { readonly kind: 'not-found' | 'not-owned'; readonly askedAt: number }
  | { readonly kind: 'failed'; readonly error: RemoteError };

export type Replies<Q extends string, T> = ReadonlyMap<Q, Reply<T>>;

/** Reads what was found for a query. Throws a `BadInputError` for anything else than an answer to it. */
export type Parse<Q extends string, T> = (answer: Readonly<Record<string, unknown>>, query: Q) => T;

/** One enstate server. It is asked once, and how that went is told faithfully. */
export interface EnstateClient {
  /** How many queries a bulk may hold, as far as is known. */
  readonly limit: number;
  fetchOne<Q extends string, T>(query: Q, fresh: boolean, parse: Parse<Q, T>): Promise<Reply<T>>;
  /** Null when these were too many for the server: `limit` is now lower. */
  fetchBulk<Q extends string, T>(
    queries: readonly Q[],
    fresh: boolean,
    parse: Parse<Q, T>,
  ): Promise<Replies<Q, T> | null>;
  /** An error of this server, to be told for a query. */
  fail(query: string, fault: RemoteFault): RemoteError;
}

export interface EnstateClientOptions {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  /** Ends requests under way: nobody waits for the answers any more. */
  readonly signal?: AbortSignal | undefined;
  readonly now: () => number;
}

/** What a server allows that was not configured otherwise. */
export const USUAL_LIMIT = 10;
/** What is in doubt and its control. */
const LOWEST_LIMIT = 2;
/** Ten profiles, each with many times the texts that anybody has. */
const LONGEST_ANSWER = 4 * 2 ** 20;

export function createEnstateClient({ url, fetch, timeoutMs, signal, now }: EnstateClientOptions): EnstateClient {
  const { host, headers, hide, url: base } = readTarget(url);
  let limit = USUAL_LIMIT;

  const failure = (label: string, fault: RemoteFault) =>
    new RemoteError(host, label, fault.kind === 'malformed' ? { ...fault, message: hide(fault.message) } : fault);

  function get(path: string, parameters: readonly string[], label: string): Promise<RemoteAnswer> {
    const target = urlBelow(base, path, parameters);
    const init = { headers: { ...headers, accept: 'application/json' } };
    return fetchAnswer({ url: target, init, host, label, fetch, timeoutMs, maxBytes: LONGEST_ANSWER, signal });
  }

  /** What `read` makes of a value, or the error that it is not what it should be. */
  function attempt<T>(label: string, read: () => T): T | RemoteError {
    try {
      return read();
    } catch (error) {
      if (error instanceof BadInputError) return failure(label, { kind: 'malformed', message: error.message });
      throw error;
    }
  }

  function readFound<Q extends string, T>(answer: unknown, query: Q, parse: Parse<Q, T>): Reply<T> {
    const value = attempt(query, () => parse(asObject(answer), query));
    return value instanceof RemoteError ? { kind: 'failed', error: value } : { kind: 'found', value };
  }

  function readStatus(status: number, retryAfterMs: number | null, query: string, askedAt: number): Reply<never> {
    if (status === 404) return { kind: 'not-found', askedAt };
    if (status === 422) return { kind: 'not-owned', askedAt };
    return { kind: 'failed', error: failure(query, { kind: 'http', status, retryAfterMs }) };
  }

  function readEntry<Q extends string, T>(entry: unknown, query: Q, askedAt: number, parse: Parse<Q, T>): Reply<T> {
    const status = attempt(query, () => parseEntryStatus(entry));
    if (status instanceof RemoteError) return { kind: 'failed', error: status };
    return status === null ? readFound(entry, query, parse) : readStatus(status, null, query, askedAt);
  }

  return {
    get limit() {
      return limit;
    },
    fail: failure,
    async fetchOne(query, fresh, parse) {
      const askedAt = now();
      try {
        const answer = await get(`u/${encodeURIComponent(query)}`, freshness(fresh), query);
        if (answer.status !== 200) return readStatus(answer.status, answer.retryAfterMs, query, askedAt);
        const body = attempt(query, () => parseBody(answer.text));
        return body instanceof RemoteError ? { kind: 'failed', error: body } : readFound(body, query, parse);
      } catch (error) {
        return { kind: 'failed', error: requireRemote(error) };
      }
    },
    async fetchBulk(queries, fresh, parse) {
      // Some servers answer in the order of the queries, some in that of their bytes. It is to be the same.
      const sorted = [...new Set(queries)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const label = `bulk of ${sorted.length}`;
      const all = (error: RemoteError) => new Map(sorted.map((query) => [query, { kind: 'failed', error } as const]));
      const askedAt = now();
      try {
        const asked = sorted.map((query) => `queries[]=${encodeURIComponent(query)}`);
        const { status, text, retryAfterMs } = await get('bulk/u', [...asked, ...freshness(fresh)], label);
        const allowed = status === 400 ? parseLimit(text) : null;
        if (allowed !== null && Math.max(allowed, LOWEST_LIMIT) < sorted.length) {
          limit = Math.min(limit, Math.max(allowed, LOWEST_LIMIT));
          return null;
        }
        if (status !== 200) return all(failure(label, { kind: 'http', status, retryAfterMs }));
        const entries = attempt(label, () => parseBulk(text, sorted.length));
        if (entries instanceof RemoteError) return all(entries);
        return new Map(sorted.map((query, index) => [query, readEntry(entries[index], query, askedAt, parse)]));
      } catch (error) {
        return all(requireRemote(error));
      }
    },
  };
}

function freshness(fresh: boolean): readonly string[] {
  return fresh ? ['fresh=true'] : [];
}
