import { once } from 'node:events';
import { connect } from 'node:net';

/** `bytes` is the length of the body. */
type OnResponse = (ms: number, bytes: number, isOk: boolean) => void;

/** A keep-alive connection. */
export interface Connection {
  /** Sends one request after the other until `next` returns null. */
  sendAll(next: () => Buffer | null, onResponse: OnResponse): Promise<void>;
  readonly isOpen: boolean;
  close(): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = 'content-length: ';
/** The last chunk of a response without a length. */
const LAST_CHUNK = '0\r\n\r\n';

/** Uses a raw socket, because an HTTP client would cost more CPU than the server. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  let onData: ((data: Buffer) => void) | null = null;
  let fail: ((error: Error) => void) | null = null;
  socket.on('data', (data) => onData?.(data as Buffer));
  socket.on('error', (error) => fail?.(error));
  socket.on('close', () => fail?.(new Error(`the server on port ${port} closed the connection`)));

  const sendAll = (next: () => Buffer | null, onResponse: OnResponse) =>
    new Promise<void>((resolve, reject) => {
      let began = 0;
      let expected = -1;
      let received = 0;
      let bytes = 0;
      let isOk = false;
      let head: Buffer | null = null;
      /** The last characters of a response without a length. */
      let tail = '';
      const send = () => {
        const request = next();
        if (request === null) {
          onData = fail = null;
          resolve();
          return;
        }
        expected = -1;
        received = 0;
        tail = '';
        head = null;
        began = performance.now();
        socket.write(request);
      };
      fail = reject;
      onData = (data) => {
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
          const length = text.indexOf(LENGTH);
          bytes = length === -1 ? 0 : Number.parseInt(text.slice(length + LENGTH.length), 10);
          expected = length === -1 ? Number.POSITIVE_INFINITY : end + HEAD_END.length + bytes;
        }
        received += chunk.length;
        if (expected === Number.POSITIVE_INFINITY) {
          bytes = received;
          tail = (tail + chunk.toString('latin1', Math.max(chunk.length - LAST_CHUNK.length, 0))).slice(
            -LAST_CHUNK.length,
          );
          if (tail !== LAST_CHUNK) return;
        } else if (received < expected) return;
        onResponse(performance.now() - began, bytes, isOk);
        send();
      };
      send();
    });

  return {
    sendAll,
    get isOpen() {
      return !socket.destroyed && !socket.readableEnded;
    },
    close: () => void socket.destroy(),
  };
}
