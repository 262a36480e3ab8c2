import { once } from 'node:events';
import net from 'node:net';

export interface RawResponse {
  readonly statusLine: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** One latin1 character per byte. */
  readonly body: string;
}

/** A client connection that sends arbitrary bytes and parses the responses. */
export class RawConnection {
  readonly #socket: net.Socket;
  #received = '';
  #onChange = () => {};

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1').on('data', (text) => {
      this.#received += text;
      this.#onChange();
    });
    // A reset is treated like any other end of the connection.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#onChange());
  }

  static async open(baseUrl: string, localAddress?: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true, localAddress });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Resolves when the bytes have been handed to the operating system. */
  send(bytes: string): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(bytes, 'latin1', () => resolve());
    });
  }

  /** Stops reading from the socket. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Half-closes the connection: sends no more, but still receives. */
  end(): void {
    this.#socket.end();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Returns the next response; null if the server has closed the connection. */
  async next(): Promise<RawResponse | null> {
    if (!(await this.#receive(() => this.#received.includes('\r\n\r\n')))) return null;
    const [head = ''] = this.#received.split('\r\n\r\n', 1);
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const start = head.length + 4;
    const end = start + Number(headers['content-length'] ?? 0);
    if (!(await this.#receive(() => this.#received.length >= end))) return null;
    const body = this.#received.slice(start, end);
    this.#received = this.#received.slice(end);
    return { statusLine, headers, body };
  }

  /** Waits until `isComplete`; false if the connection is closed before. */
  async #receive(isComplete: () => boolean): Promise<boolean> {
    while (!isComplete()) {
      if (this.#socket.closed) return false;
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
    return true;
  }
}
