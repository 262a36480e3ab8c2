import { LRUCache } from 'lru-cache';
import xxhash from 'xxhash-wasm';
import { createSingleFlight } from '../../async/single-flight.ts';
import type { UnixMs } from '../../async/unix-time.ts';
import type { DataVersion } from '../../store/store.ts';
import { compress, type Encoding } from './content-encoding.ts';

/** What a lookup returns, before it is encoded. */
export interface Rendered {
  readonly text: string;
  /** The Link header; null if there is none. */
  readonly link: string | null;
}

export interface CachedResponse {
  readonly body: Buffer;
  readonly link: string | null;
  /** Strong validator of the uncompressed body. */
  readonly etag: string;
  /** The cache key; null if the response is not cached. */
  readonly key: string | null;
  /** Compressed variants of the body, each made for the first client that accepts it. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

interface Entry {
  readonly response: CachedResponse;
  /** The data version that the response was read from. */
  readonly version: number;
  readonly expires: UnixMs;
  /** Of the body and its compressed variants. */
  readonly bytes: number;
}

export interface ResponseCacheOptions {
  /** 0 turns the cache off. */
  readonly maxBytes: number;
  readonly version: DataVersion;
  readonly now: () => UnixMs;
}

export interface CacheableQuery {
  /** The URL of the request: concurrent queries for one URL and data version are run once. */
  readonly url: string;
  /** The cache key of the response; null to not cache it. */
  readonly key: string | null;
  readonly dependsOnClock: boolean;
  readonly run: () => Promise<Rendered>;
}

/** Lifetime of a response that depends on the clock. */
const CLOCK_TTL_MS = 1_000;
/** Estimated size of an entry's objects, its ETag and its slot in the LRU list. */
const ENTRY_OVERHEAD_BYTES = 600;

const { h64Raw } = await xxhash();

/**
 * LRU cache of response bodies by URL. An entry is a hit only while its data version is the current one, so there is no
 * invalidation.
 */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry> | null;
  readonly #version: DataVersion;
  readonly #now: () => number;
  readonly #inFlight = createSingleFlight<CachedResponse>();

  constructor({ maxBytes, version, now }: ResponseCacheOptions) {
    this.#version = version;
    this.#now = now;
    this.#entries =
      maxBytes === 0
        ? null
        : new LRUCache({
            maxSize: maxBytes,
            sizeCalculation: ({ bytes }, key) => bytes + key.length + ENTRY_OVERHEAD_BYTES,
          });
  }

  /** Memory in use. */
  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  get(key: string): CachedResponse | undefined {
    const entry = this.#entries?.get(key);
    if (entry === undefined) return undefined;
    // The version is null while it is unknown, which no entry equals.
    const isCurrent = entry.version === this.#version.current() && this.#now() < entry.expires;
    return isCurrent ? entry.response : undefined;
  }

  /** Runs the query, once for all concurrent callers with the same URL and data version, and caches its response. */
  async load(query: CacheableQuery): Promise<CachedResponse> {
    // Read before the query runs: a commit in between makes the response newer than its version, never older.
    const version = this.#version.current();
    return this.#inFlight.run(`${version} ${query.url}`, () => this.#load(query, version));
  }

  async #load({ key, dependsOnClock, run }: CacheableQuery, version: number | null): Promise<CachedResponse> {
    const expires = dependsOnClock ? this.#now() + CLOCK_TTL_MS : Number.POSITIVE_INFINITY;
    const { text, link } = await run();
    const body = toBuffer(text);
    const response = { body, link, etag: `"${h64Raw(body).toString(16)}"`, key, compressed: new Map() };
    if (version !== null && key !== null) {
      this.#entries?.set(key, { response, version, expires, bytes: body.length + (link?.length ?? 0) });
    }
    return response;
  }

  /** Compresses the body of a response, once per encoding. */
  compress(response: CachedResponse, encoding: Encoding): Promise<Buffer> {
    const known = response.compressed.get(encoding);
    if (known !== undefined) return known;
    const compressed = this.#compress(response, encoding);
    response.compressed.set(encoding, compressed);
    compressed.catch(() => response.compressed.delete(encoding));
    return compressed;
  }

  async #compress(response: CachedResponse, encoding: Encoding): Promise<Buffer> {
    const compressed = copyExactly(await compress(response.body, encoding));
    const entry = response.key === null ? undefined : this.#entries?.peek(response.key);
    // Set again, since the LRU cache calculates the size of an entry only then.
    if (response.key !== null && entry?.response === response) {
      this.#entries?.set(response.key, { ...entry, bytes: entry.bytes + compressed.length });
    }
    return compressed;
  }
}

/** In memory of its own: a slice of Node's shared pool or of zlib's output chunk would keep all of it alive. */
function copyExactly(buffer: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(buffer.length);
  buffer.copy(copy);
  return copy;
}

/** The same for a text. */
function toBuffer(text: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  buffer.write(text);
  return buffer;
}

/**
 * Returns the cache key that a `cache=fresh` request refreshes: its URL without that parameter. Null if the parameter is
 * percent-encoded: the response is then not cached, or the next such request would be a stale hit.
 */
export function withoutFresh(url: string): string | null {
  const queryStart = url.indexOf('?');
  const pairs = url.slice(queryStart + 1).split('&');
  const rest = pairs.filter((pair) => pair !== 'cache=fresh');
  if (queryStart === -1 || rest.length === pairs.length) return null;
  const path = url.slice(0, queryStart);
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`;
}
