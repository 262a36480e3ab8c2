import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';
import xxhash from 'xxhash-wasm';
import type { MonotonicMs } from '../../async/unix-time.ts';
import type { CursorKey } from '../../lookup/page.ts';

/** A body that is held in memory. */
export interface HeldBody {
  readonly body: Buffer;
  /** Where the next page begins; null if there is none. */
  readonly next: CursorKey | null;
  /** Strong validator of the uncompressed body. */
  readonly etag: string;
  /** The cache key; null if the body is not cached. */
  readonly key: string | null;
  /** Compressed variants of the body, each made for the first client that accepts it. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

/** When a body was read, and how long it counts. */
export interface Validity {
  /** Null if the body is not cached. */
  readonly key: string | null;
  /** That of the data, or an earlier one; null if it was unknown. */
  readonly version: string | null;
  readonly expires: MonotonicMs;
}

interface Entry extends Validity {
  readonly held: HeldBody;
  /** Of the body and its compressed variants. */
  readonly bytes: number;
}

/** One answer takes at most this part of the cache, and each of its compressed variants at most as much again. */
const MAX_SHARE = 1 / 64;
/** Estimated size of an entry's objects, its ETag and its slot in the LRU list. */
const ENTRY_OVERHEAD_BYTES = 600;

const { h64Raw } = await xxhash();

/** LRU cache of bodies. An entry counts only while its version is the current one, so there is no invalidation. */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry> | null;
  readonly #maxBody: number;
  readonly #monotonic: () => MonotonicMs;

  /** `maxBytes` of 0 turns the cache off. */
  constructor({ maxBytes, monotonic }: { readonly maxBytes: number; readonly monotonic: () => MonotonicMs }) {
    this.#monotonic = monotonic;
    this.#maxBody = maxBytes * MAX_SHARE;
    const sizeCalculation = ({ bytes }: Entry, key: string) => bytes + key.length + ENTRY_OVERHEAD_BYTES;
    this.#entries = maxBytes === 0 ? null : new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  /** Memory in use. */
  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  get(key: string, version: string | null): HeldBody | undefined {
    const entry = this.#entries?.get(key);
    const isCurrent = entry !== undefined && entry.version === version && this.#monotonic() < entry.expires;
    return isCurrent ? entry.held : undefined;
  }

  /** Holds the text of a body, and keeps it if it has a key and a version. */
  add({ key, version, expires }: Validity, text: string, next: CursorKey | null): HeldBody {
    const body = toBuffer(text);
    const held = { body, next, key, etag: `"${h64Raw(body).toString(16)}"`, compressed: new Map() };
    if (version !== null && key !== null && body.length <= this.#maxBody) {
      this.#entries?.set(key, { key, version, expires, held, bytes: body.length });
    }
    return held;
  }

  /** Compresses a body, once per encoding. */
  compress(held: HeldBody, encoding: Encoding): Promise<Buffer> {
    const known = held.compressed.get(encoding);
    if (known !== undefined) return known;
    const compressed = this.#compress(held, encoding);
    held.compressed.set(encoding, compressed);
    compressed.catch(() => held.compressed.delete(encoding));
    return compressed;
  }

  async #compress(held: HeldBody, encoding: Encoding): Promise<Buffer> {
    const compressed = copyExactly(await compress(held.body, encoding));
    const { key } = held;
    const entry = key === null ? undefined : this.#entries?.peek(key);
    // Set again, since the LRU cache calculates the size of an entry only then.
    if (key !== null && entry?.held === held) {
      this.#entries?.set(key, { ...entry, bytes: entry.bytes + compressed.length });
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

export type Encoding = 'br' | 'gzip';

/** Smaller bodies fit into a few packets; compressing them does not pay. */
export const MIN_COMPRESSED_BYTES = 4096;

/** In order of preference. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const satisfies (Encoding | 'identity')[];

const negotiator = new Negotiator({ supportedValues: [...ENCODINGS] });

/** Returns the best encoding of an Accept-Encoding header, null for an uncompressed body. */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding | null {
  if (acceptEncoding === undefined) return null;
  // Encodings are case-insensitive. Safe: the negotiator returns one of its supported values or null.
  const encoding = negotiator.negotiate(acceptEncoding.toLowerCase()) as (typeof ENCODINGS)[number] | null;
  return encoding === 'identity' ? null : encoding;
}

/** Higher levels cost several times the CPU for a few percent of the size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const brotli = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? brotli(body, BROTLI) : gzipAsync(body);
}

/** The same for a body of any length. */
export function createCompressor(encoding: Encoding): Transform {
  return encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
}

/** If-None-Match uses weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
