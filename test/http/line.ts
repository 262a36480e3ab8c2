import { once } from 'node:events';
import net from 'node:net';

/** A bare connection, whose answers are taken apart and nothing else. */
export class Line {
  readonly #socket: net.Socket;
  #text = '';
  #wake = () => {};
  /** How many bytes have come in. */
  received = 0;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1').on('data', (text) => {
      this.#text += text;
      this.received += text.length;
      this.#wake();
    });
    // A reset ends it like any other end.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#wake());
  }

  static async open(base: string): Promise<Line> {
    const { hostname, port } = new URL(base);
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Line(socket);
  }

  send(bytes: string): void {
    this.#socket.write(bytes, 'latin1');
  }

  /** Sends no more, but goes on listening. */
  finish(): void {
    this.#socket.end();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Takes nothing in any more. */
  pause(): void {
    this.#socket.pause();
  }

  /** The next answer to a GET: its head, without the date, and its body. Null when the server has hung up. */
  async next(): Promise<{ head: string[]; body: string } | null> {
    if (!(await this.#has(() => this.#text.includes('\r\n\r\n')))) return null;
    const [head = ''] = this.#text.split('\r\n\r\n', 1);
    const start = head.length + 4;
    const [, length = '0'] = /^content-length: (\d+)$/im.exec(head) ?? [];
    const end = start + Number(length);
    if (!(await this.#has(() => this.#text.length >= end))) return null;
    const body = this.#text.slice(start, end);
    this.#text = this.#text.slice(end);
    return { head: head.split('\r\n').filter((line) => !line.startsWith('Date: ')), body };
  }

  /** Waits until there is enough; false when there never will be. */
  async #has(isEnough: () => boolean): Promise<boolean> {
    while (!isEnough()) {
      if (this.#socket.closed) return false;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return true;
  }
}
