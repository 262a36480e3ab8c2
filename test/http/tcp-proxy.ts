import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a server, to simulate a network outage. */
export interface TcpProxy {
  /** URL of the server, with the proxy's host and port. */
  readonly url: string;
  /** Closes all connections and refuses new ones. */
  disconnect(): Promise<void>;
  /** Accepts connections again, on the same port. */
  reconnect(): Promise<void>;
  /** Loses all traffic without closing a connection: of all, or of those whose first message contains `text`. */
  stall(text?: string): void;
  /** Forwards the traffic of new connections again. What was lost stays lost. */
  resume(): void;
}

interface Connection {
  /** The first message, in which a PostgreSQL client names its application. */
  greeting: string;
  isStalled: boolean;
}

export async function createTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl);
  const connections = new Set<Connection>();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  let stalled: string | null = null;

  function forward(client: Socket): void {
    const upstream = connect(Number(target.port), target.hostname);
    const connection: Connection = { greeting: '', isStalled: false };
    connections.add(connection);
    client.on('data', (data) => {
      if (connection.greeting === '') {
        connection.greeting = data.toString('latin1');
        if (stalled !== null && connection.greeting.includes(stalled)) connection.isStalled = true;
      }
      if (!connection.isStalled) upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (!connection.isStalled) client.write(data);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      // An error is followed by `close`.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        connections.delete(connection);
        sockets.delete(socket);
        // The other end of a stalled connection does not notice.
        if (!connection.isStalled) other.destroy();
      });
    }
  }

  async function listen(): Promise<void> {
    server = createServer(forward);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }

  await listen();
  const url = new URL(serverUrl);
  url.port = String(port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    reconnect: listen,
    async disconnect() {
      if (server === undefined) return;
      const closed = once(server, 'close');
      server.close();
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    stall(text = '') {
      stalled = text;
      for (const connection of connections) if (connection.greeting.includes(text)) connection.isStalled = true;
    },
    resume() {
      stalled = null;
    },
  };
}
