import { turnOfOwn } from '../async/turn-of-own.ts';
import type { MonotonicMs } from '../async/unix-time.ts';
import type { Reader } from '../store/store.ts';
import type { Entry } from './entry.ts';
import type { Feed, FeedPlace } from './feed.ts';
import { type EventFilter, passes } from './filter.ts';
import type { StreamFormat } from './formats.ts';
import { isSamePosition, type Position, type PositionCodec } from './position.ts';
import { replay } from './replay.ts';

/** Where a stream writes: the response to its client. */
export interface Sink {
  write(chunk: Buffer | string): void;
  /** Bytes that the client has not taken yet. */
  buffered(): number;
  /** Ends the response when all of it has been taken. */
  end(): void;
  /** Closes the connection at once. */
  destroy(): void;
}

/** Why a stream has ended. */
export const END_REASONS = ['client-gone', 'caught-up', 'slow-reader', 'expired', 'shutdown', 'failed'] as const;
export type EndReason = (typeof END_REASONS)[number];

export interface StreamRequest {
  readonly filter: EventFilter;
  readonly withEns: boolean;
  readonly format: StreamFormat;
  /** Null for now. */
  readonly since: Position | null;
  readonly untilNow: boolean;
}

export interface StreamContext {
  readonly feed: Feed;
  /** For what the feed does not keep any more. */
  readonly reader: Reader;
  readonly codec: PositionCodec;
  readonly withUndo: boolean;
  /** Resolves when the feed has looked at the database again. */
  readonly changed: () => Promise<void>;
  readonly monotonic: () => MonotonicMs;
  /** When the stream ends by itself. */
  readonly expires: MonotonicMs;
  /** A reader that takes nothing for this long is closed. */
  readonly slowReaderMs: number;
  /** The body of the error response for a slow reader. */
  readonly slowReaderProblem: string;
  readonly onSent: (entry: Entry) => void;
}

/** A stream does not write while its client has more than this to take. */
const MAX_BUFFERED_BYTES = 64 * 1024;
const PROGRESS_MS = 14_000;
/** Logs that a stream reads at once at first, and while its client takes less than it reads. */
const MIN_PAGE_LOGS = 125;
/** A few milliseconds, on a thread with SQLite. */
const MAX_PAGE_LOGS = 250;
/** How long what a stream has read waits for its client. */
const KEEP_READ_MS = 500;
/** How long a slow reader has for the last event. */
const LAST_EVENT_MS = 1_000;

/** Sends the events of one client: from the database until it is where the feed is, and then from the feed. */
export class EventStream {
  readonly request: StreamRequest;
  readonly #sink: Sink;
  readonly #context: StreamContext;
  /** Null until the first load is complete. */
  #position: Position | null;
  /** The next entry of the feed; null while the stream reads from the database. */
  #next: number | null = null;
  #sent = 0;
  #pageLogs = MIN_PAGE_LOGS;
  #lastWrite: MonotonicMs;
  /** Since when the client has taken nothing, and what it had to take then. */
  #stalled: { since: MonotonicMs; bytes: number } | null = null;
  #ended: EndReason | null = null;
  #wake: () => void = () => undefined;

  constructor(request: StreamRequest, sink: Sink, context: StreamContext) {
    this.request = request;
    this.#sink = sink;
    this.#context = context;
    this.#position = request.since;
    this.#lastWrite = context.monotonic();
  }

  get isLive(): boolean {
    return this.#next !== null;
  }

  /** Resolves when the stream has ended. Rejects with an error of the database, after which it can be called again. */
  async run(): Promise<EndReason> {
    const { feed, changed } = this.#context;
    let target: FeedPlace | null = null;
    while (this.#ended === null) {
      // A page that was begun before this stream does not have what only this one looks at.
      await feed.pageEnd();
      if (this.#ended !== null) break;
      const place = feed.place();
      if (place === null) {
        await this.#unlessEnded(changed());
        continue;
      }
      if (target === null) {
        this.#position ??= place.position;
        this.#progress();
      }
      target = this.request.untilNow ? (target ?? place) : place;
      // Safe: it was set above.
      const from = this.#position as Position;
      if (isSamePosition(from, target.position)) {
        if (this.request.untilNow) this.end('caught-up');
        else await this.#live(target.next);
        continue;
      }
      const isComplete = await this.#catchUp(from, target.position);
      if (isComplete && this.request.untilNow) this.end('caught-up');
      else if (this.#position === from) await this.#unlessEnded(changed());
    }
    // Safe: the loop ends only with a reason.
    return this.#ended as EndReason;
  }

  /** Sends what is new in the feed, as far as the client takes it. */
  pump(): void {
    const { feed } = this.#context;
    while (this.#next !== null && this.#ended === null && !this.#isFull()) {
      const entry = feed.entry(this.#next);
      if (entry !== undefined) {
        this.#next += 1;
        this.#position = entry.position;
        this.#send(entry);
        continue;
      }
      const place = feed.place();
      if (place !== null && place.next === this.#next) {
        this.#position = place.position;
        return;
      }
      // The feed does not keep it any more.
      this.#next = null;
      this.#wake();
    }
  }

  /** To be called when the client has taken what was buffered. */
  drained(): void {
    this.#stalled = null;
    if (this.#next === null) this.#wake();
    else this.pump();
  }

  /** To be called about once a second. */
  tick(): void {
    if (this.#ended !== null) return;
    const { monotonic, expires, slowReaderMs } = this.#context;
    const now = monotonic();
    if (this.#isFull()) {
      const bytes = this.#sink.buffered();
      if (this.#stalled === null || bytes < this.#stalled.bytes) this.#stalled = { since: now, bytes };
      else if (now - this.#stalled.since >= slowReaderMs) this.end('slow-reader');
    } else if (now >= expires && !this.request.untilNow) this.end('expired');
    else if (now - this.#lastWrite >= PROGRESS_MS) this.#progress();
  }

  /** `retryMs`: when the client may connect again. */
  end(reason: EndReason, retryMs = 1_000): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#next = null;
    this.#close(reason, retryMs);
    this.#wake();
  }

  #close(reason: EndReason, retryMs: number): void {
    const { format, untilNow } = this.request;
    const sink = this.#sink;
    if (reason === 'client-gone') return;
    // A history that ends as usual is complete.
    if (reason === 'failed' || (untilNow && reason !== 'caught-up')) {
      sink.destroy();
      return;
    }
    if (reason === 'slow-reader') {
      this.#write(format.problem(this.#context.slowReaderProblem));
      setTimeout(() => sink.destroy(), LAST_EVENT_MS).unref();
    } else this.#progress();
    if (reason !== 'caught-up') this.#write(format.retry(retryMs));
    sink.end();
  }

  #isFull(): boolean {
    return this.#sink.buffered() > MAX_BUFFERED_BYTES;
  }

  #write(chunk: Buffer | string): void {
    if (chunk.length === 0) return;
    this.#sink.write(chunk);
    this.#lastWrite = this.#context.monotonic();
  }

  #progress(): void {
    const { format } = this.request;
    this.#write(
      this.#position === null ? format.idle : format.progress(this.#context.codec.encode(this.#position), this.#sent),
    );
  }

  #send(entry: Entry): void {
    const { filter, format, withEns } = this.request;
    if (entry.event !== null && !passes(filter, entry.event.facts, entry.event.holds)) return;
    this.#write(entry.chunk(format.name, withEns, format.event));
    if (entry.event !== null) this.#sent += 1;
    this.#context.onSent(entry);
  }

  /** Resolves when the stream has ended or is behind what the feed keeps. */
  async #live(next: number): Promise<void> {
    this.#next = next;
    const behind = this.#woken();
    this.pump();
    await behind;
  }

  /**
   * Reads from the database up to a position. False if it has stopped before: logs wait for their fold, or the client is
   * slow. What was read then is forgotten, so that a slow client holds no memory.
   */
  async #catchUp(from: Position, to: Position): Promise<boolean> {
    const { reader, codec, withUndo } = this.#context;
    const { filter, withEns } = this.request;
    const steps = replay({
      ...{ reader, codec, from, to, withUndo, withEns },
      pageLogs: () => this.#pageLogs,
      watched: () => (filter.role === 'source' ? [] : (filter.accounts ?? [])),
      wants: (facts, holds) => passes(filter, facts, holds),
    });
    for await (const { entries, position, isLoading } of steps) {
      // Also with a filter that nothing passes.
      if (isLoading || this.#ended !== null) return false;
      // Many at once: a write for each of them took half of the time of a history.
      for (let i = 0; i < entries.length; ) {
        if (this.#ended !== null) return false;
        if (this.#isFull() && !(await this.#takenSoon())) {
          this.#pageLogs = MIN_PAGE_LOGS;
          await this.#taken();
          return false;
        }
        i = this.#sendSome(entries, i);
      }
      this.#position = position;
      this.#pageLogs = Math.min(2 * this.#pageLogs, MAX_PAGE_LOGS);
      await turnOfOwn();
    }
    return true;
  }

  /** Sends entries that pass the filter, from `start` on, and returns where it has ended. */
  #sendSome(entries: readonly Entry[], start: number): number {
    const { format, withEns } = this.request;
    let text = '';
    let i = start;
    for (let entry = entries[i]; entry !== undefined && text.length < MAX_BUFFERED_BYTES; entry = entries[++i]) {
      text += format.event(entry, entry.text(withEns));
      if (entry.event !== null) this.#sent += 1;
      this.#position = entry.position;
      this.#context.onSent(entry);
    }
    this.#write(text);
    return i;
  }

  /** Whether the client takes what is buffered while what was read is kept. */
  async #takenSoon(): Promise<boolean> {
    const timer = setTimeout(() => this.#wake(), KEEP_READ_MS);
    await this.#woken();
    clearTimeout(timer);
    return !this.#isFull();
  }

  /** Resolves when the client has taken what is buffered, or the stream has ended. */
  async #taken(): Promise<void> {
    while (this.#isFull() && this.#ended === null) await this.#woken();
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #unlessEnded(waiting: Promise<void>): Promise<void> {
    await Promise.race([waiting, this.#woken()]);
  }
}
