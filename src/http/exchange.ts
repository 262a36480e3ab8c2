import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BinaryString } from '../contract/binary-string.ts';

/** A request to read something, and the way to answer it. */
export interface Exchange {
  readonly url: string;
  readonly ifNoneMatch: string | undefined;
  /** `headers` are lines, each with its end. */
  send(status: number, headers: string, body: BinaryString | ''): void;
}

/** One that need not be answered here. */
export interface Offer extends Exchange {
  /** Leaves it to the framework. */
  leave(): void;
}

/** An exchange that Node reads and writes. */
export function exchangeOf(req: IncomingMessage, res: ServerResponse): Exchange {
  return {
    url: req.url ?? '',
    ifNoneMatch: req.headers['if-none-match'],
    send(status, headers, body) {
      if (res.headersSent) return;
      // A body that may still be coming is not waited for.
      if (mayHaveBody(req)) res.shouldKeepAlive = false;
      res.writeHead(status, headers.split('\r\n').slice(0, -1).flatMap(pairOf));
      if (req.method === 'HEAD') res.end();
      else res.end(body, 'latin1');
    },
  };
}

function pairOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  const { 'transfer-encoding': chunked, 'content-length': length = '0' } = headers;
  return chunked !== undefined || length !== '0';
}
