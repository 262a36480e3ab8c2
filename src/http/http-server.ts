import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Closes the connection of a client that does not complete its request headers. */
const HEADERS_TIMEOUT_MS = 10_000;
/** The same for the whole request: the only body that is read has at most 128 KiB. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than the idle timeout of common load balancers, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Connections that are still open this long after shutdown began are destroyed. */
const DRAIN_TIMEOUT_MS = 10_000;

export interface HttpServer {
  /** For Fastify's `serverFactory`, which is called once per address that `listen` binds to. */
  createServer(handler: RequestListener): Server;
  /** Resolves when all responses in progress have been written; call before `server.close()`. */
  drain(): Promise<void>;
}

/**
 * A node:http server with graceful shutdown. `server.close()` alone is not graceful: it destroys connections whose
 * response is not fully flushed, and keeps those that have sent no request or become idle later.
 */
export function createHttpServer(): HttpServer {
  /** The latest response of each open connection; null before its first request. */
  const connections = new Map<Socket, ServerResponse | null>();
  const servers: Server[] = [];
  return {
    createServer(handler) {
      const server = createServer({
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      });
      server.on('connection', (socket) => {
        connections.set(socket, null);
        socket.once('close', () => connections.delete(socket));
      });
      server.on('request', ({ socket }, response) => connections.set(socket, response));
      server.on('request', handler);
      servers.push(server);
      return server;
    },
    async drain() {
      const closeAll = () => {
        for (const server of servers) server.closeAllConnections();
      };
      setTimeout(closeAll, DRAIN_TIMEOUT_MS).unref();
      await Promise.all(
        [...connections].map(async ([socket, response]) => {
          if (response === null) socket.destroy();
          else if (!response.closed) await finish(response);
        }),
      );
    },
  };
}

async function finish(response: ServerResponse): Promise<void> {
  if (!response.headersSent) response.setHeader('connection', 'close');
  await once(response, 'close');
}
