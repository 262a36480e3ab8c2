import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientKey, type HttpLimits, proxyTest } from './limits.ts';

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
export const DRAIN_TIMEOUT_MS = 10_000;
/** A request may have 16 KiB, so those that wait on one connection take half a MiB at most. */
const MAX_PIPELINED = 32;
/** For the probes of the operations port, while the other one has all of its connections. */
const SPARE_CONNECTIONS = 16;

export interface HttpServerOptions {
  /**
   * How long a shutdown waits for the next request of a keep-alive connection. Its response says that it is the last one,
   * whereas a connection that is closed while the client sends a request loses that request.
   */
  readonly lastRequestMs?: number;
}

interface Connection {
  /** For the limits of the server. */
  readonly setIdle: (isIdle: boolean) => void;
  /** The response in progress; null while the connection is idle. */
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
export function createHttpServer(limits: ConnectionLimitOptions, { lastRequestMs = 0 }: HttpServerOptions = {}) {
  const connections = new Map<Socket, Connection>();
  const servers: Server[] = [];
  let isDraining = false;
  let dropped = 0;
  let onClose = () => {};

  function handle(handler: RequestListener, request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.response = response;
    connection.setIdle(false);
    response.once('close', () => {
      const [next] = connection.pipelined.splice(0, 1);
      if (next !== undefined && !request.socket.destroyed) return handle(handler, ...next);
      // Kept, it would hold the memory of the request for as long as the connection is idle.
      connection.response = null;
      connection.setIdle(true);
    });
    if (isDraining) announceClose(connection);
    handler(request, response);
  }

  return {
    /** For Fastify's `serverFactory`, which is called once per address that `listen` binds to. */
    createServer(handler: RequestListener): Server {
      const server = createServer({
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: TIMEOUT_CHECK_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      });
      server.timeout = WRITE_TIMEOUT_MS;
      const countDropped = () => {
        dropped += 1;
      };
      const { admit, setIdle, remove } = createConnectionLimits(limits, countDropped);
      server.on('connection', (socket) => {
        // Each listener has the limit. Together, such as those of two addresses, they have it as well.
        if (connections.size >= limits.maxConnections + SPARE_CONNECTIONS || !admit(socket)) {
          countDropped();
          socket.destroy();
          return;
        }
        connections.set(socket, { response: null, pipelined: [], setIdle: (isIdle) => setIdle(socket, isIdle) });
        socket.once('close', () => {
          remove(socket);
          connections.delete(socket);
          onClose();
        });
      });
      server.on('request', (request, response) => {
        const connection = connections.get(request.socket);
        if (connection === undefined || connection.response === null) {
          handle(handler, request, response);
        } else if (connection.pipelined.length < MAX_PIPELINED) connection.pipelined.push([request, response]);
        else request.socket.destroy();
      });
      servers.push(server);
      return server;
    },
    /** The number of open connections. */
    connections: () => connections.size,
    /** The number of connections that were closed because there were too many, new and idle ones. */
    dropped: () => dropped,
    /** Resolves when all responses in progress have been written; call before `server.close()`. */
    async drain(): Promise<void> {
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

export type ConnectionLimitOptions = Pick<HttpLimits, 'maxConnections' | 'maxConnectionsPerClient' | 'trustProxy'>;

/** Connections that are limited together. */
interface Group {
  /** Of the client address; empty for all. */
  readonly key: string;
  readonly max: number;
  open: number;
  /** Those without a request in progress, the longest idle one first. */
  readonly idle: Set<Socket>;
}

/**
 * Limits the open connections of a server, in all and of each client address. Those of a trusted proxy belong to many
 * clients. `onEvict` is called for each connection that makes room for another one.
 */
function createConnectionLimits(options: ConnectionLimitOptions, onEvict: () => void) {
  const { maxConnections, maxConnectionsPerClient, trustProxy } = options;
  const isProxy = proxyTest(trustProxy);
  const all: Group = { key: '', max: maxConnections, open: 0, idle: new Set() };
  const clients = new Map<string, Group>();
  const groupsOf = new Map<Socket, readonly Group[]>();

  function clientOf({ remoteAddress: ip }: Socket): Group[] {
    // Undefined if the client has closed the connection already.
    if (ip === undefined || isProxy(ip)) return [];
    const key = clientKey({ ip });
    return [clients.get(key) ?? { key, max: maxConnectionsPerClient, open: 0, idle: new Set() }];
  }

  function remove(socket: Socket): void {
    for (const group of groupsOf.get(socket) ?? []) {
      group.open -= 1;
      group.idle.delete(socket);
      if (group.open === 0) clients.delete(group.key);
    }
    groupsOf.delete(socket);
  }

  /** Closes the longest idle connection of a group that is full. False if there is none. */
  function makeRoom({ open, max, idle }: Group): boolean {
    if (open < max) return true;
    const [longest] = idle;
    if (longest === undefined) return false;
    remove(longest);
    longest.destroy();
    onEvict();
    return true;
  }

  return {
    /** Counts a new connection, for which the longest idle one is closed if needed. False if all are in use. */
    admit(socket: Socket): boolean {
      // First its own client: a connection of another one is closed only if there are too many in all.
      const groups = [...clientOf(socket), all];
      if (!groups.every(makeRoom)) return false;
      for (const group of groups) {
        group.open += 1;
        group.idle.add(socket);
        if (group !== all) clients.set(group.key, group);
      }
      groupsOf.set(socket, groups);
      return true;
    },
    setIdle(socket: Socket, isIdle: boolean): void {
      for (const { idle } of groupsOf.get(socket) ?? []) {
        if (isIdle) idle.add(socket);
        else idle.delete(socket);
      }
    },
    remove,
  };
}
