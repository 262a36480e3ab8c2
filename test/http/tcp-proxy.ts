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
}

export async function createTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;

  async function listen(): Promise<void> {
    server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
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
  };
}
