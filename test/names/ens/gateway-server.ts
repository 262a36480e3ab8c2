import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

interface GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (request: GatewayRequest, response: ServerResponse) => void;

/** A local HTTP server with a scripted handler. */
export interface GatewayServer {
  readonly host: string;
  readonly origin: string;
  /** May be replaced at any time. */
  handler: Handler;
  readonly requests: GatewayRequest[];
  /** Number of accepted connections. */
  readonly connections: () => number;
  stop(): Promise<void>;
}

export async function startGateway(handler: Handler = (_request, response) => response.end()): Promise<GatewayServer> {
  const requests: GatewayRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: Error) => response.destroy(error));
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, body: await text(incoming) };
    requests.push(request);
    gateway.handler(request, response);
  }

  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway: GatewayServer = {
    host,
    origin: `http://${host}`,
    handler,
    requests,
    connections: () => connections,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}

export const reply =
  (status: number, body: string, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
