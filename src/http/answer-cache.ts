import xxhash from 'xxhash-wasm';
import { createSingleFlight } from '../async/single-flight.ts';
import type { BinaryString } from '../contract/binary-string.ts';
import type { DataVersion } from '../store/store.ts';
import { ByteRing } from './byte-ring.ts';

/** A body with what is sent beside it, ready to go out. */
export interface Answer {
  readonly route: string;
  readonly body: BinaryString;
  readonly etag: string;
}

/** What is known of an answer that is kept. */
interface Kept extends Omit<Answer, 'body'> {
  /** The data version it was made from. */
  readonly version: number;
  /** Milliseconds of the clock after which it no longer stands. */
  readonly expires: number;
}

export interface AnswerCacheOptions {
  readonly maxBytes: number;
  readonly version: DataVersion;
  readonly now: () => number;
}

/** An answer that depends on the clock stands this long. */
const CLOCK_MS = 1_000;

/** Answers by URL. One counts only for the data version that it was made from, so nothing is ever invalidated. */
export class AnswerCache {
  readonly #answers: ByteRing<Kept>;
  readonly #version: DataVersion;
  readonly #now: () => number;
  /** Questions being answered right now: equal ones share the work. */
  readonly #pending = createSingleFlight<Answer>();

  constructor({ maxBytes, version, now }: AnswerCacheOptions) {
    this.#version = version;
    this.#now = now;
    this.#answers = new ByteRing(maxBytes);
  }

  get bytes(): number {
    return this.#answers.bytes;
  }

  get(url: string): Answer | undefined {
    const kept = this.#answers.get(url);
    if (kept === undefined) return undefined;
    const { route, etag, version, expires } = kept.about;
    if (version !== this.#version.current() || this.#now() >= expires) return undefined;
    return { route, etag, body: this.#answers.bytesAt(kept) };
  }

  /** Makes the answer to `url`, once for all who ask for it at this moment and this data version. */
  async make(question: Question): Promise<Answer> {
    // Taken before the question is put: data that changes meanwhile makes the answer newer than it claims, never older.
    const version = this.#version.current();
    return this.#pending.run(`${version} ${question.url}`, () => this.#make(question, version));
  }

  async #make({ keptAs, route, dependsOnClock, ask }: Question, version: number | null): Promise<Answer> {
    const expires = dependsOnClock ? this.#now() + CLOCK_MS : Number.POSITIVE_INFINITY;
    const body = await ask();
    const etag = tagOf(body);
    if (version !== null && keptAs !== null) {
      this.#answers.set(keptAs, body, { route, etag, version, expires });
    }
    return { route, etag, body };
  }
}

const { h64ToString } = await xxhash();

/** SHA-1 would take 6 µs in place of 0.9 for a page of followers, where the whole answer takes some 40. */
function tagOf(body: BinaryString): string {
  return `"${h64ToString(body)}"`;
}

export interface Question {
  /** As the client wrote it. */
  readonly url: string;
  /** What the answer is kept under; null to keep it nowhere. */
  readonly keptAs: string | null;
  readonly route: string;
  readonly dependsOnClock: boolean;
  readonly ask: () => Promise<BinaryString>;
}

/**
 * The URL under which everybody else asks what a request for freshness asks. Null where it is written in a way
 * that cannot be taken out: such an answer is not kept, or it would be found, stale, by the next such request.
 */
export function withoutFresh(url: string): string | null {
  const mark = url.indexOf('?');
  const pairs = url.slice(mark + 1).split('&');
  const rest = pairs.filter((pair) => pair !== 'cache=fresh');
  if (mark === -1 || rest.length === pairs.length) return null;
  const path = url.slice(0, mark);
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`;
}
