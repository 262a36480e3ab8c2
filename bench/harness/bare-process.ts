import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bare node:http server: the baseline for throughput. */
const body = Buffer.alloc(Number(process.argv[2] ?? 0), 'x');
const headers = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)];
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
