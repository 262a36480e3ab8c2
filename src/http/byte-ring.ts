import type { BinaryString } from '../contract/binary-string.ts';

/** Where bytes lie, and what is known of them. */
interface Place<T> {
  readonly start: number;
  readonly end: number;
  readonly about: T;
}

/** What a key takes beside its characters: the objects and the entry in the map. */
const OVERHEAD_BYTES = 400;
/** The share of the memory that the bytes themselves take; keys and objects need the rest. */
const BYTES_SHARE = 0.75;

/**
 * BinaryString by key, in memory of a fixed size: what comes in takes the place of what has been there longest. One piece that
 * is written over and over is never garbage. Buffers of their own were: a process that kept 32 MiB of them held up to
 * 75 MB until they were collected.
 */
export class ByteRing<T> {
  readonly #memory: Buffer;
  readonly #maxBytes: number;
  /** In the order they came, which is the order they lie in from `#next` on, and from the beginning. */
  readonly #places = new Map<string, Place<T>>();
  #next = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#memory = Buffer.allocUnsafeSlow(Math.floor(maxBytes * BYTES_SHARE));
  }

  /** Memory taken. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Place<T> | undefined {
    return this.#places.get(key);
  }

  /** The bytes at a place that has just been got. */
  bytesAt({ start, end }: Place<T>): BinaryString {
    // Safe: a character for each byte.
    return this.#memory.toString('latin1', start, end) as BinaryString;
  }

  /** Keeps a copy of the bytes, unless there is no room for them. */
  set(key: string, bytes: BinaryString, about: T): void {
    this.#delete(key);
    const { length } = bytes;
    const size = sizeOf(key, length);
    if (length > this.#memory.length || size > this.#maxBytes) return;
    if (this.#next + length > this.#memory.length) {
      this.#clear(Number.POSITIVE_INFINITY);
      this.#next = 0;
    }
    this.#clear(this.#next + length);
    for (const oldest of this.#places.keys()) {
      if (this.#bytes + size <= this.#maxBytes) break;
      this.#delete(oldest);
    }
    const start = this.#next;
    this.#next += length;
    this.#memory.write(bytes, start, 'latin1');
    this.#places.set(key, { start, end: this.#next, about });
    this.#bytes += size;
  }

  /** Lets go of what lies from `#next` to `end`: the oldest, if anything. */
  #clear(end: number): void {
    for (const [key, { start }] of this.#places) {
      if (start < this.#next || start >= end) return;
      this.#delete(key);
    }
  }

  #delete(key: string): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#places.delete(key);
    this.#bytes -= sizeOf(key, place.end - place.start);
  }
}

function sizeOf(key: string, length: number): number {
  return length + key.length * 2 + OVERHEAD_BYTES;
}
