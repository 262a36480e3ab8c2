import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A stand-in for PgBouncer. A client has a server session during a transaction; in session mode, until it disconnects. In
 * statement mode, a transaction is refused.
 */
interface Pooler {
  /** URL of the database, with the pooler's host and port. */
  readonly url: string;
  close(): Promise<void>;
}

interface Session {
  readonly socket: Socket;
  onMessage: (message: Buffer) => void;
}

/** Bytes of the type and the length of a message. */
const HEADER = 5;
const READY = 'Z'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
/** Messages that the server answers with ReadyForQuery: Query and Sync. */
const ANSWERED = new Set(['Q', 'S'].map((type) => type.charCodeAt(0)));

const message = (type: string, ...body: number[]) =>
  Buffer.from([type.charCodeAt(0), 0, 0, 0, body.length + 4, ...body]);
/** AuthenticationOk, BackendKeyData with a process id of its own, ReadyForQuery. */
const WELCOME = Buffer.concat([message('R', 0, 0, 0, 0), message('K', 0x7f, 1, 2, 3, 0, 0, 0, 1), message('Z', IDLE)]);

const BEGIN = Buffer.from('begin\0');
/** As PgBouncer 1.18 answers BEGIN in statement mode, before it closes the connection. */
const REFUSAL = message(
  'E',
  ...Buffer.from('SFATAL\0C08P01\0Mtransaction blocks not allowed in statement pooling mode\0\0'),
);

interface PoolerOptions {
  readonly mode: 'session' | 'transaction' | 'statement';
  /** Clients that find no free session wait for one. */
  readonly poolSize?: number;
}

/** `serverUrl` is of a server that trusts the user. */
export async function startPooler(
  serverUrl: string,
  { mode, poolSize = Number.POSITIVE_INFINITY }: PoolerOptions,
): Promise<Pooler> {
  const { hostname, port, username, pathname } = new URL(serverUrl);
  const idle: Session[] = [];
  const waiting: (() => void)[] = [];
  let opened = 0;
  const sockets = new Set<Socket>();

  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };

  async function openSession(): Promise<Session> {
    const socket = connect(Number(port), hostname);
    track(socket);
    const session: Session = { socket, onMessage: () => undefined };
    const ready = new Promise<void>((resolve) => {
      session.onMessage = (data) => data[0] === READY && resolve();
    });
    onMessages(socket, (data) => session.onMessage(data));
    const parameters = Buffer.from(`user\0${username}\0database\0${pathname.slice(1)}\0\0`);
    const start = Buffer.alloc(8);
    start.writeInt32BE(start.length + parameters.length);
    // Protocol 3.0.
    start.writeInt32BE(3 << 16, 4);
    socket.write(Buffer.concat([start, parameters]));
    await ready;
    return session;
  }

  async function serve(client: Socket): Promise<void> {
    track(client);
    // The startup message has no type.
    await once(client, 'data');
    client.write(WELCOME);
    let taken: Promise<Session> | null = null;
    let unanswered = 0;
    const release = (session: Session) => {
      taken = null;
      idle.push(session);
      waiting.shift()?.();
    };
    const discard = ({ socket }: Session) => {
      socket.destroy();
      opened -= 1;
      waiting.shift()?.();
    };
    client.on('close', () => taken?.then(discard));
    const take = async () => {
      while (idle.length === 0 && opened >= poolSize) await new Promise<void>((resolve) => waiting.push(resolve));
      if (idle.length === 0) opened += 1;
      const session = idle.pop() ?? (await openSession());
      session.onMessage = (data) => {
        client.write(data);
        if (data[0] !== READY) return;
        unanswered -= 1;
        if (unanswered === 0 && data[HEADER] === IDLE && mode !== 'session') release(session);
      };
      return session;
    };
    onMessages(client, (data) => {
      const [type = 0] = data;
      if (type === TERMINATE) return client.end();
      if (mode === 'statement' && data.subarray(HEADER).equals(BEGIN)) return client.end(REFUSAL);
      if (ANSWERED.has(type)) unanswered += 1;
      taken ??= take();
      return taken.then(({ socket }) => socket.write(data));
    });
  }

  const server = createServer((client) => void serve(client)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Calls `handle` with each complete message. */
function onMessages(socket: Socket, handle: (message: Buffer) => unknown): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= HEADER) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      handle(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}
