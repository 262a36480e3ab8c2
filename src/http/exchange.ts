import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request to read something, and the way to answer it. */
export interface Exchange {
  readonly url: string;
  readonly ifNoneMatch: string | undefined;
  /** `headers` are names and values in turn; every character of `body` is a byte. */
  send(status: number, headers: readonly string[], body: string): void;
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
      // A body that may still be coming is not waited for.
      res.writeHead(status, [...headers, ...(mayHaveBody(req) ? ['Connection', 'close'] : [])]);
      if (req.method === 'HEAD') res.end();
      else res.end(body, 'latin1');
    },
  };
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  const { 'transfer-encoding': chunked, 'content-length': length = '0' } = headers;
  return chunked !== undefined || length !== '0';
}
