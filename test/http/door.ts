import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and can be shut: then nobody gets through, and who was inside is put out. */
export interface Door {
  /** `url` of the server, by way of the door. */
  readonly url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function createDoor(serverUrl: string): Promise<Door> {
  const target = new URL(serverUrl);
  const inside = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;

  async function open(): Promise<void> {
    server = createServer((client) => {
      const beyond = connect(Number(target.port), target.hostname);
      for (const [socket, other] of [
        [client, beyond],
        [beyond, client],
      ] as const) {
        inside.add(socket);
        // Either end may be cut off at any time, and takes the other with it.
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          inside.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }

  await open();
  const url = new URL(serverUrl);
  url.port = String(port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    open,
    async shut() {
      if (server === undefined) return;
      const closed = once(server, 'close');
      server.close();
      server = undefined;
      for (const socket of inside) socket.destroy();
      await closed;
    },
  };
}
