import { pipeline, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { turnOfOwn } from '../../async/turn-of-own.ts';
import { OVERLOADED } from '../problems.ts';
import { createCompressor, negotiateEncoding } from '../server/content-encoding.ts';

/** Longer responses are neither cached nor held in memory. */
const MAX_HELD_LENGTH = 512 * 1024;
/** A client that takes longer keeps a snapshot of the database open. */
const MAX_STREAM_MS = 120_000;

/** The text of a response that is not held: its beginning, and the rest. */
interface Text {
  readonly start: string;
  readonly rest: AsyncGenerator<string>;
}

/** A response is too long to be held. */
export class LongResponse extends Error {
  override name = 'LongResponse';
  #text: Text | null;

  constructor(text: Text) {
    super('the response is streamed');
    this.#text = text;
  }

  /** Concurrent requests for one URL share this error, and the first of them takes the text. */
  take(): Text | null {
    const text = this.#text;
    this.#text = null;
    return text;
  }
}

/** The whole text; rejects with a `LongResponse` if it is too long. */
export async function collect(chunks: AsyncGenerator<string>): Promise<string> {
  let start = '';
  for (;;) {
    await turnOfOwn();
    const { done, value } = await chunks.next();
    if (done) return start;
    start += value;
    if (start.length > MAX_HELD_LENGTH) throw new LongResponse({ start, rest: chunks });
  }
}

/** `onSend` is called unless too many streams are open. */
export type SendStream = (reply: FastifyReply, text: Text, onSend: () => void) => Promise<FastifyReply>;

/** Sends at most `maxOpen` streams at once, each as fast as its client reads. */
export function createSendStream(maxOpen: number): SendStream {
  let open = 0;
  return async (reply, { start, rest }, onSend) => {
    const isHead = reply.request.method === 'HEAD';
    if (isHead || open >= maxOpen) await rest.return(undefined);
    if (!isHead && open >= maxOpen) throw OVERLOADED;
    onSend();
    const encoding = negotiateEncoding(reply.request.headers['accept-encoding']);
    if (encoding !== null) reply.header('content-encoding', encoding);
    // Without a length, as the response to GET is.
    if (isHead) return reply.send(Readable.from([]));
    open += 1;
    const body = toReadable(start, rest);
    const timer = setTimeout(() => body.destroy(new Error('the client read too slowly')), MAX_STREAM_MS);
    body.once('close', () => {
      clearTimeout(timer);
      open -= 1;
    });
    // An error of the body ends the compressor, whose error Fastify reports.
    return reply.send(encoding === null ? body : pipeline(body, createCompressor(encoding), () => undefined));
  };
}

function toReadable(start: string, rest: AsyncGenerator<string>): Readable {
  let next = start === '' ? null : start;
  return new Readable({
    read() {
      if (next !== null) {
        this.push(next);
        next = null;
        return;
      }
      turnOfOwn()
        .then(() => rest.next())
        .then(
          ({ done, value }) => this.push(done ? null : value),
          (error: Error) => this.destroy(error),
        );
    },
    destroy(error, callback) {
      rest.return(undefined).then(
        () => callback(error),
        (failure: Error) => callback(error ?? failure),
      );
    },
  });
}
