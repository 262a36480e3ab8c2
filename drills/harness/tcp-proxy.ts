import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that simulates a network that loses data without closing connections. */
export interface TcpProxy {
  readonly port: number;
  /** Delays all data, of new connections too, until `resume`. */
  stall(): void;
  resume(): void;
  /** Drops all later data of the current connections. New connections work. */
  dropCurrent(): void;
  stop(): void;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [socket, other] of [pair, [upstream, client] as const]) {
      socket.pipe(other);
      if (isStalled) socket.pause();
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      isStalled = true;
      for (const pair of pairs) for (const socket of pair) socket.unpipe().pause();
    },
    resume() {
      isStalled = false;
      for (const [client, upstream] of pairs) {
        client.pipe(upstream);
        upstream.pipe(client);
      }
    },
    dropCurrent() {
      // Still read, so that the sender does not notice a full buffer.
      for (const pair of pairs) for (const socket of pair) socket.unpipe().resume();
      pairs.clear();
    },
    stop() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
