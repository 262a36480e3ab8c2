import type { Socket } from 'node:net';
import type { BinaryString } from '../contract/binary-string.ts';
import type { Offer } from './exchange.ts';
import { CLOSE, headOf, line } from './head.ts';

/**
 * A request that is read here. It came in one piece and has no body:
 *
 *     GET /path HTTP/1.1
 *     Name: value           one or more
 *                           an empty line, and nothing after it
 */
const REQUEST = /^GET (\/[!-~]*) HTTP\/1\.1\r\n((?:[\w!#$%&'*+.^`|~-]+:[\t -~]*\r\n)+)\r\n$/;
/** Headers that tell how to read what follows, or how to go on; and tags in several lines, which count as one list. */
const UNUSUAL =
  /^(?:connection:(?![\t ]*keep-alive[\t ]*$)|(?:content-length|expect|transfer-encoding|upgrade):|if-none-match:[\s\S]*^if-none-match:)/im;
const HOST = /^host:/im;
const IF_NONE_MATCH = /^if-none-match:(.*)$/im;
/** Longer ones are left to Node, which knows a limit for them. */
const LONGEST_REQUEST = 8_192;

export interface PlainConnectionsOptions {
  readonly answer: (offer: Offer) => void;
  /** Takes a connection over, with what has been read from it and not been answered. */
  readonly leave: (socket: Socket, unanswered: Buffer) => void;
  /** How long a client may take to ask for the first time, and for the next. */
  readonly firstMs: number;
  readonly nextMs: number;
}

/**
 * Reads and answers the requests of connections itself as long as they are as plain as almost all are; from the first
 * other one on, a connection is Node's. Node's own server makes a stream of each request and each response, which takes
 * longer than the answer itself: of 28 µs of CPU for a cache hit, 17 are left.
 */
export class PlainConnections {
  readonly #options: PlainConnectionsOptions;
  readonly #open = new Set<PlainConnection>();
  #isDraining = false;

  constructor(options: PlainConnectionsOptions) {
    this.#options = options;
  }

  take(socket: Socket): void {
    if (this.#isDraining) {
      socket.destroy();
      return;
    }
    const connection = new PlainConnection(socket, this.#options, () => this.#open.delete(connection));
    this.#open.add(connection);
  }

  /** Ends each connection as soon as nothing is under way on it. */
  drain(): void {
    this.#isDraining = true;
    for (const connection of this.#open) connection.end();
  }

  /** Ends those that are left, whatever is under way. */
  cut(): void {
    for (const connection of this.#open) connection.cut();
  }
}

class PlainConnection {
  readonly #socket: Socket;
  readonly #options: PlainConnectionsOptions;
  readonly #forget: () => void;
  readonly #keepAlive: string;
  /** The request that is being answered. */
  #asked: Buffer | null = null;
  /** What came after it. */
  #more: Buffer[] = [];
  #isLast = false;

  constructor(socket: Socket, options: PlainConnectionsOptions, forget: () => void) {
    this.#socket = socket;
    this.#options = options;
    this.#forget = forget;
    this.#keepAlive =
      line('Connection', 'keep-alive') + line('Keep-Alive', `timeout=${Math.floor(options.nextMs / 1000)}`);
    socket.setTimeout(options.firstMs);
    socket
      .on('data', this.#read)
      .on('end', this.#end)
      .on('timeout', this.#idle)
      .on('error', ignore)
      .on('close', forget);
  }

  end(): void {
    this.#isLast = true;
    if (this.#asked === null) this.#socket.destroySoon();
  }

  cut(): void {
    this.#socket.destroy();
  }

  readonly #end = () => this.end();

  /** Whoever does not take what it was sent is not waited for. */
  readonly #idle = () => (this.#asked === null ? this.cut() : this.end());

  readonly #read = (chunk: Buffer): void => {
    // What comes after the last cannot be answered any more.
    if (this.#isLast) return;
    if (this.#asked !== null) {
      this.#socket.pause();
      this.#more.push(chunk);
      return;
    }
    const [, url, headers] = (chunk.length <= LONGEST_REQUEST && REQUEST.exec(chunk.toString('latin1'))) || [];
    if (url === undefined || headers === undefined || UNUSUAL.test(headers) || !HOST.test(headers)) {
      this.#leave([chunk]);
      return;
    }
    const { nextMs } = this.#options;
    if (this.#socket.timeout !== nextMs) this.#socket.setTimeout(nextMs);
    this.#asked = chunk;
    this.#options.answer(new PlainOffer(this, url, IF_NONE_MATCH.exec(headers)?.[1]));
  };

  send(status: number, headers: string, body: BinaryString | ''): void {
    const socket = this.#socket;
    if (this.#asked === null || socket.destroyed) return;
    const head = headOf(status, headers + (this.#isLast ? CLOSE : this.#keepAlive));
    const isTaken = socket.write(head + body, 'latin1');
    this.#asked = null;
    if (this.#isLast) socket.destroySoon();
    // Whoever asks one question after the other without waiting is left to Node.
    else if (this.#more.length > 0) this.#leave(this.#more);
    // Whoever does not take its answers is not read any further.
    else if (!isTaken) socket.pause().once('drain', () => socket.resume());
  }

  leave(): void {
    this.#leave([this.#asked ?? Buffer.alloc(0), ...this.#more]);
  }

  #leave(unanswered: readonly Buffer[]): void {
    const socket = this.#socket;
    this.#forget();
    socket.setTimeout(0);
    socket.off('data', this.#read).off('end', this.#end).off('timeout', this.#idle).off('error', ignore);
    socket.off('close', this.#forget);
    this.#options.leave(socket, Buffer.concat(unanswered));
    socket.resume();
  }
}

/** Its client is gone, and there is nobody to tell. */
const ignore = () => undefined;

class PlainOffer implements Offer {
  readonly #connection: PlainConnection;
  readonly url: string;
  readonly ifNoneMatch: string | undefined;

  constructor(connection: PlainConnection, url: string, ifNoneMatch: string | undefined) {
    this.#connection = connection;
    this.url = url;
    this.ifNoneMatch = ifNoneMatch;
  }

  send(status: number, headers: string, body: BinaryString | ''): void {
    this.#connection.send(status, headers, body);
  }

  leave(): void {
    this.#connection.leave();
  }
}
