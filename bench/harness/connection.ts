import { once } from 'node:events';
import { connect } from 'node:net';

/** What becomes of a request: how long it took, and the body's length. */
type Tell = (ms: number, bytes: number, isOk: boolean) => void;

/** A connection that stays open between runs. */
export interface Connection {
  /** Puts one request after the other, until there is no next. */
  ask(next: () => Buffer | null, tell: Tell): Promise<void>;
  readonly isOpen: boolean;
  close(): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = 'content-length: ';

/** On a bare socket: a client that costs more than the server measures itself. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  let take: ((data: Buffer) => void) | null = null;
  let fail: ((error: Error) => void) | null = null;
  socket.on('data', (data) => take?.(data as Buffer));
  socket.on('error', (error) => fail?.(error));
  socket.on('close', () => fail?.(new Error(`the server of port ${port} has hung up`)));

  const ask = (next: () => Buffer | null, tell: Tell) =>
    new Promise<void>((resolve, reject) => {
      let began = 0;
      let expected = -1;
      let received = 0;
      let bytes = 0;
      let isOk = false;
      let head: Buffer | null = null;
      const put = () => {
        const request = next();
        if (request === null) {
          take = fail = null;
          resolve();
          return;
        }
        expected = -1;
        received = 0;
        head = null;
        began = performance.now();
        socket.write(request);
      };
      fail = reject;
      take = (data) => {
        let chunk = data;
        if (expected === -1) {
          if (head !== null) chunk = Buffer.concat([head, chunk]);
          const end = chunk.indexOf(HEAD_END);
          if (end === -1) {
            head = chunk;
            return;
          }
          const text = chunk.toString('latin1', 0, end).toLowerCase();
          isOk = text.charAt('http/1.1 '.length) === '2';
          bytes = Number.parseInt(text.slice(text.indexOf(LENGTH) + LENGTH.length), 10);
          expected = end + HEAD_END.length + bytes;
        }
        received += chunk.length;
        if (received < expected) return;
        tell(performance.now() - began, bytes, isOk);
        put();
      };
      put();
    });

  return {
    ask,
    get isOpen() {
      return !socket.destroyed && !socket.readableEnded;
    },
    close: () => void socket.destroy(),
  };
}
