import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../../src/remote/guarded-fetch.ts';
import { type GatewayServer, type Handler, reply, startGateway } from './gateway-server.ts';
import { isAllowed } from './loopback.ts';

let server: GatewayServer;
beforeEach(async () => {
  server = await startGateway(reply(200, 'hello'));
});
afterEach(() => server.stop());

const url = () => `${server.origin}/`;

describe('the response limit', () => {
  const fetchSmall = () => createGuardedFetch({ isAllowed, maxBytes: 100 })(url());

  it('accepts a body of the maximum size', async () => {
    server.handler = reply(200, 'x'.repeat(100));
    expect((await fetchSmall()).text).toHaveLength(100);
  });

  it('rejects a larger body', async () => {
    server.handler = reply(200, 'x'.repeat(101));
    await expect(fetchSmall()).rejects.toThrow('more than 100 bytes');
  });

  it('rejects a larger body without Content-Length', async () => {
    server.handler = (_request, response) => {
      response.write('x'.repeat(60));
      response.write('x'.repeat(60));
    };
    await expect(fetchSmall()).rejects.toThrow('more than 100 bytes');
  });

  it('rejects a truncated body', async () => {
    server.handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '50' });
      response.write('x', () => response.destroy());
    };
    await expect(fetchSmall()).rejects.toThrow('unreachable: ');
  });

  it('applies to the decompressed size of a response', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 20));
    server.handler = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    await expect(fetchSmall()).rejects.toThrow('more than 100 bytes');
  });
});

describe('the timeout', () => {
  const late: [string, Handler][] = [
    ['there is no response', () => undefined],
    ['the response stops in the middle', (_request, response) => void response.write('x')],
  ];

  it.each(late)('applies when %s', async (_what, handler) => {
    server.handler = handler;
    await expect(createGuardedFetch({ isAllowed, timeoutMs: 50 })(url())).rejects.toThrow('timed out');
  });

  it('applies to a DNS lookup that never ends', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    const fetch = createGuardedFetch({ lookup, timeoutMs: 50 });
    await expect(fetch('http://slow.example/')).rejects.toThrow('slow.example: gateway: timed out');
  });

  it('applies to all redirects together', async () => {
    server.handler = (request, response) => {
      if (request.path === '/') reply(302, '', { location: '/silence' })(request, response);
    };
    await expect(createGuardedFetch({ isAllowed, timeoutMs: 200 })(url())).rejects.toThrow('timed out');
  });

  it('is not awaited when the signal is aborted', async () => {
    const ending = new AbortController();
    server.handler = () => ending.abort();
    await expect(createGuardedFetch({ isAllowed, signal: ending.signal })(url())).rejects.toThrow('unreachable');
  });

  it('is not awaited if the signal was aborted before the request', async () => {
    const fetch = createGuardedFetch({ isAllowed, signal: AbortSignal.abort() });
    await expect(fetch(url())).rejects.toThrow('unreachable');
    expect(server.requests).toEqual([]);
  });
});
