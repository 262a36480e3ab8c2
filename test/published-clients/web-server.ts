import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { encodeBytes, locationBytes } from '../model/encode-log.ts';
import { slotOf } from '../model/small-history.ts';
import type { Page } from './build-page.ts';
import { API_HOST } from './client-fetchers.ts';
import { createSelfSigned } from './self-signed.ts';

const PAGE_HOST = 'app.example';
export const PAGE_URL = `https://${PAGE_HOST}/`;
/** Where viem sends calls for Base if it is given no URL, as the package does. */
const RPC_HOST = 'mainnet.base.org';

export interface ApiRequest {
  readonly method: string;
  /** Below /api/v1, with the query. */
  readonly path: string;
  readonly status: number;
}

export interface WebServer {
  readonly port: number;
  /** Requests to the API host since the last call, preflights included. */
  takeRequests(): ApiRequest[];
  close(): Promise<void>;
}

/**
 * Stands in for all hosts that a browser with mapped host names requests, over TLS: a reverse proxy to the service
 * under the API host, the page under its own host, a node, and an image for anything else.
 */
export async function startWebServer(serviceUrl: string, page: Page): Promise<WebServer> {
  const requests: ApiRequest[] = [];
  const agent = new http.Agent({ keepAlive: true });

  const forward = (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    const onAnswer = (answer: IncomingMessage) => {
      const status = answer.statusCode ?? 0;
      requests.push({ method, path: url.replace('/api/v1', ''), status });
      response.writeHead(status, answer.headers);
      answer.pipe(response);
    };
    const forwarded = http.request(`${serviceUrl}${url}`, { method, headers, agent }, onAnswer);
    // Without an answer the browser sees a network error, which fails the test.
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  };

  const server = https.createServer(createSelfSigned(), (request, response) => {
    switch (request.headers.host) {
      case API_HOST:
        return forward(request, response);
      case PAGE_HOST:
        return sendPage(page, request, response);
      case RPC_HOST:
        return void answerCall(request, response);
      default:
        return send(response, 'image/svg+xml', IMAGE);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A server on a port has an AddressInfo.
    port: (server.address() as AddressInfo).port,
    takeRequests: () => requests.splice(0),
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="teal"/></svg>';

function send(response: ServerResponse, contentType: string, body: string): void {
  response.writeHead(200, { 'content-type': contentType, 'access-control-allow-origin': '*' }).end(body);
}

function sendPage({ html, script, style }: Page, { url }: IncomingMessage, response: ServerResponse): void {
  switch (url) {
    case '/page.js':
      send(response, 'text/javascript', script);
      break;
    case '/page.css':
      send(response, 'text/css', style);
      break;
    default:
      send(response, 'text/html', html);
  }
}

/** Answers the package's only call before a transaction: where a list is stored. */
async function answerCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('access-control-allow-headers', 'content-type');
  if (request.method === 'OPTIONS') return send(response, 'text/plain', '');
  const { id } = JSON.parse(await text(request));
  const result = encodeBytes(locationBytes(slotOf(1n)));
  send(response, 'application/json', JSON.stringify({ jsonrpc: '2.0', id, result }));
}
