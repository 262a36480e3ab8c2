import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface FileServer {
  readonly url: string;
  /** The headers of each request. */
  readonly requests: IncomingHttpHeaders[];
  content: Uint8Array;
  etag: string | null;
  /** Where the next requests are redirected to. */
  readonly redirects: string[];
  /** If not 200, there is no file. */
  status: number;
  /** Whether it answers requests for a range with the whole file. */
  ignoresRange: boolean;
  /** Of each of the next responses, how many bytes it sends before it hangs. It breaks the connection for 0. */
  readonly hangs: number[];
  /** Breaks the connections. */
  cut(): void;
}

/** A static web server with one file, on this machine. */
export async function serveFile(content: Uint8Array): Promise<FileServer> {
  const server = createServer((request, response) => {
    state.requests.push(request.headers);
    const { range, 'if-range': ifRange } = request.headers;
    const target = state.redirects.shift();
    if (target !== undefined) return response.writeHead(302, { location: target }).end();
    if (state.status !== 200) return response.writeHead(state.status).end();
    const total = state.content.length;
    if (state.etag !== null) response.setHeader('etag', state.etag);
    let start = 0;
    if (range !== undefined && ifRange === state.etag && !state.ignoresRange) {
      start = Number(/^bytes=(\d+)-$/.exec(range)?.[1]);
      if (start >= total) return response.writeHead(416, { 'content-range': `bytes */${total}` }).end();
      response.setHeader('content-range', `bytes ${start}-${total - 1}/${total}`);
    }
    const rest = state.content.subarray(start);
    response.writeHead(start === 0 ? 200 : 206, { 'content-length': rest.length });
    const sent = state.hangs.shift();
    if (sent === undefined) return response.end(rest);
    if (sent === 0) return response.destroy();
    response.write(rest.subarray(0, sent));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const state: FileServer = {
    url: `http://127.0.0.1:${port}/logs.ndjson.gz`,
    ...{ requests: [], content, etag: '"one"', status: 200, redirects: [], ignoresRange: false, hangs: [] },
    cut: () => server.closeAllConnections(),
  };
  return state;
}
