import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.ts';

/** Closes the connection of a client that does not complete its request headers. */
const HEADERS_TIMEOUT_MS = 10_000;
/** The same for the whole request: a body that is read has at most 128 KiB. */
const REQUEST_TIMEOUT_MS = 15_000;
/** How often these two are checked; Node's default of 30 s would add that to them. */
const TIMEOUT_CHECK_MS = 2_000;
/** Closes the connection of a client that takes nothing of its response for this long. */
const WRITE_TIMEOUT_MS = 30_000;
/** Longer than the idle timeout of common load balancers, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Connections that are still open this long after shutdown began are destroyed. */
const DRAIN_TIMEOUT_MS = 10_000;
/** A request may have 16 KiB, so those that wait on one connection take half a MiB at most. */
const MAX_PIPELINED = 32;

export interface HttpServerOptions {
  /**
   * How long a shutdown waits for the next request of a keep-alive connection. Its response says that it is the last one,
   * whereas a connection that is closed while the client sends a request loses that request.
   */
  readonly lastRequestMs?: number;
}

export interface HttpServer {
  /** For Fastify's `serverFactory`, which is called once per address that `listen` binds to. */
  createServer(handler: RequestListener): Server;
  /** The number of open connections. */
  connections(): number;
  /** The number of connections that were closed because there were too many. */
  dropped(): number;
  /** Resolves when all responses in progress have been written; call before `server.close()`. */
  drain(): Promise<void>;
}

interface Connection {
  /** The latest response; null before the first request. */
  response: ServerResponse | null;
  /** Pipelined requests, whose turn comes when the response before them has been taken by the client. */
  readonly pipelined: [IncomingMessage, ServerResponse][];
}

/**
 * A node:http server with bounded pipelining and graceful shutdown. Node hands over all pipelined requests at once, so
 * that a client which does not read its responses would fill the memory with them. `server.close()` alone is not
 * graceful: it destroys connections whose response is not fully flushed, and keeps those that have sent no request or
 * become idle later.
 */
export function createHttpServer(
  { maxConnections }: Pick<HttpLimits, 'maxConnections'>,
  { lastRequestMs = 0 }: HttpServerOptions = {},
): HttpServer {
  const connections = new Map<Socket, Connection>();
  const servers: Server[] = [];
  let isDraining = false;
  let dropped = 0;
  let onClose = () => {};

  function handle(handler: RequestListener, request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.response = response;
    response.once('close', () => {
      const [next] = connection.pipelined.splice(0, 1);
      if (next !== undefined && !request.socket.destroyed) handle(handler, ...next);
    });
    if (isDraining) announceClose(connection);
    handler(request, response);
  }

  return {
    createServer(handler) {
      const server = createServer({
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: TIMEOUT_CHECK_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      });
      server.maxConnections = maxConnections;
      server.timeout = WRITE_TIMEOUT_MS;
      server.on('connection', (socket) => {
        connections.set(socket, { response: null, pipelined: [] });
        socket.once('close', () => {
          connections.delete(socket);
          onClose();
        });
      });
      server.on('drop', () => {
        dropped += 1;
      });
      server.on('request', (request, response) => {
        const connection = connections.get(request.socket);
        if (connection === undefined || connection.response === null || connection.response.closed) {
          handle(handler, request, response);
        } else if (connection.pipelined.length < MAX_PIPELINED) connection.pipelined.push([request, response]);
        else request.socket.destroy();
      });
      servers.push(server);
      return server;
    },
    connections: () => connections.size,
    dropped: () => dropped,
    async drain() {
      const closeAll = () => {
        for (const server of servers) server.closeAllConnections();
      };
      setTimeout(closeAll, DRAIN_TIMEOUT_MS).unref();
      isDraining = true;
      for (const connection of connections.values()) announceClose(connection);
      await untilClosed(lastRequestMs);
      await Promise.all(
        [...connections].map(async ([socket, connection]) => {
          const response = lastOf(connection);
          if (response === null) socket.destroy();
          else if (!response.closed) await once(response, 'close');
        }),
      );
    },
  };

  /** Resolves when no connection is open, or after `ms`. */
  async function untilClosed(ms: number): Promise<void> {
    if (connections.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      onClose = () => {
        if (connections.size > 0) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function lastOf({ response, pipelined }: Connection): ServerResponse | null {
  return pipelined.at(-1)?.[1] ?? response;
}

/** On the last response of a connection only, because Node discards the requests after it. */
function announceClose(connection: Connection): void {
  const response = lastOf(connection);
  if (response !== null && !response.headersSent) response.setHeader('connection', 'close');
}
