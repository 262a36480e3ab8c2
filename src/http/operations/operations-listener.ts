import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { FastifyInstance } from 'fastify';

interface Address {
  readonly host: string;
  readonly port: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    listenForOperations(address: Address): Promise<void>;
  }
}

/**
 * Adds `listenForOperations`, which serves the routes of `app` on a second port, for probes and scrapes. libuv accepts
 * one connection of a listening socket in each turn of the event loop. Under overload, turns are long, and a probe
 * would wait until all connections before it have been accepted.
 */
export function registerOperationsListener(
  app: FastifyInstance,
  createServer: (handler: RequestListener) => Server,
): void {
  let server: Server | undefined;
  app.decorate('listenForOperations', async (address) => {
    await app.ready();
    server = createServer(app.routing).listen(address);
    await once(server, 'listening');
    app.log.info({ ...address }, 'serving probes on the operations port');
  });
  app.addHook('onClose', () => {
    server?.close();
  });
}
