import type { RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionLimitOptions } from '../../src/http/server/http-server.ts';
import { createHttpServer, type HttpServerOptions } from '../../src/http/server/http-server.ts';
import { anyEngine } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { RawConnection } from './raw-connection.ts';
import { ServiceFixture, STAR } from './support.ts';

const followers = `/api/v1/users/${STAR.address}/followers`;
const details = `/api/v1/lists/${STAR.list}/details`;
const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: kith', ...headers].join('\r\n')}\r\n\r\n`;

describe.each(anyEngine)('a connection', (engine) => {
  const fixture = new ServiceFixture(engine);
  const connections: RawConnection[] = [];
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serveDemo();
  });
  afterEach(() => {
    for (const connection of connections.splice(0)) connection.close();
  });
  afterAll(() => fixture.close());

  async function open(): Promise<RawConnection> {
    const connection = await RawConnection.open(service.url);
    connections.push(connection);
    return connection;
  }

  /** Sends a request in pieces over a separate connection. */
  async function request(...pieces: string[]) {
    const connection = await open();
    for (const piece of pieces) {
      await connection.send(piece);
      await nextTurn();
    }
    return connection.next();
  }

  it.each([
    ['an ordinary request', get(followers), 200],
    ['a non-ASCII header value', get(details, 'a: \u00e9'), 200],
    ['HTTP/1.0', `GET ${details} HTTP/1.0\r\nHost: a\r\n\r\n`, 200],
    ['an absolute-form URL', `GET http://kith${details} HTTP/1.1\r\nHost: kith\r\n\r\n`, 200],
    ['a percent-encoded path', get(`/api/v1/users/${STAR.address}/f%6fllowers`), 200],
    ['Connection: close', get(details, 'Connection: close'), 200],
    ['a protocol upgrade', get(details, 'Connection: Upgrade', 'Upgrade: websocket'), 200],
    ['If-None-Match: *', get(details, 'If-None-Match: *'), 304],
    ['no Host header', `GET ${details} HTTP/1.1\r\nAccept: */*\r\n\r\n`, 400],
    ['two Host headers', get(details, 'host: other'), 400],
    ['a header without a name', get(details, ': a'), 400],
    ['a space in a header name', get(details, 'a b: c'), 400],
    ['a folded header', get(details, 'a: b', ' c'), 400],
    ['a bare line feed in a header', get(details, 'a: b\nX: c'), 400],
    ['a control character in a header', get(details, 'a: b\u0001'), 400],
    ['an unknown HTTP version', `GET ${details} HTTP/1.7\r\nHost: a\r\n\r\n`, 400],
    ['a lower-case method', `get ${details} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['Content-Length and Transfer-Encoding', get(details, 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
    ['headers of more than 16 KiB', get(details, `a: ${'b'.repeat(20_000)}`), 431],
  ])('answers a request with %s', async (_, text, status) => {
    expect((await request(text))?.statusLine).toContain(` ${status} `);
  });

  it('sends UTF-8 with the byte length as Content-Length', async () => {
    const response = await request(get(`${followers}?limit=%C3%A9`));
    const { detail } = JSON.parse(Buffer.from(response?.body ?? '', 'latin1').toString());
    expect(detail).toContain('"é"');
  });

  it('accepts a request that arrives in two pieces', async () => {
    const text = get(`${followers}?limit=2`, 'Accept: */*');
    const whole = await request(text);
    expect(whole?.statusLine).toBe('HTTP/1.1 200 OK');
    for (const at of [1, 4, 20, text.length - 3, text.length - 1]) {
      expect((await request(text.slice(0, at), text.slice(at)))?.body, `split at ${at}`).toBe(whole?.body);
    }
  });

  it('matches an ETag in the second of two If-None-Match headers', async () => {
    const etag = (await request(get(details)))?.headers.etag;
    const response = await request(get(details, 'If-None-Match: "other"', `If-None-Match: ${etag}`));
    expect(response?.statusLine).toContain(' 304 ');
  });

  it('is kept alive for the next request, with the timeout in the Keep-Alive header', async () => {
    const connection = await open();
    for (const limit of [1, 2, 3]) {
      await connection.send(get(`${followers}?limit=${limit}`));
      const response = await connection.next();
      expect(response?.headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=72' });
      expect(JSON.parse(response?.body ?? '').followers).toHaveLength(limit);
    }
  });

  it('answers pipelined requests in order', async () => {
    const connection = await open();
    const limits = [30, ...Array.from({ length: 20 }, (_, i) => i + 1)];
    await connection.send(limits.map((limit) => get(`${followers}?limit=${limit}`)).join(''));
    for (const limit of limits) {
      expect(JSON.parse((await connection.next())?.body ?? '').followers).toHaveLength(limit);
    }
  });

  it('does not parse the body of a GET request as another request', async () => {
    const hidden = get(details);
    const connection = await open();
    await connection.send(get(`${followers}?limit=1`, `Content-Length: ${hidden.length}`) + hidden);
    const response = await connection.next();
    expect(JSON.parse(response?.body ?? '').followers).toHaveLength(1);
    expect(response?.headers.connection).toBe('close');
    expect(await connection.next()).toBeNull();
  });

  it('answers a GET request without waiting for its body', async () => {
    const response = await request(get(`${followers}?limit=1`, 'Content-Length: 100'));
    expect(response?.statusLine).toBe('HTTP/1.1 200 OK');
  });

  it('is closed when the client half-closes it', async () => {
    const connection = await open();
    connection.end();
    expect(await connection.next()).toBeNull();
  });
});

describe('createHttpServer', () => {
  const BODY_BYTES = 30_000_000;

  async function listen(
    handler: RequestListener,
    { limits, ...options }: HttpServerOptions & { limits?: Partial<ConnectionLimitOptions> } = {},
  ) {
    const { createServer, drain, dropped } = createHttpServer(
      { maxConnections: 100, maxConnectionsPerClient: 100, trustProxy: false, ...limits },
      options,
    );
    const server = createServer(handler).listen(0, '127.0.0.1');
    onTestFinished(() => server.closeAllConnections());
    await new Promise((resolve) => server.once('listening', resolve));
    const open = (from?: string) =>
      RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, from);
    const connection = await open();
    /** As Fastify does it: the `preClose` hook, then the server itself. */
    const close = async () => {
      await drain();
      await new Promise((resolve) => server.close(resolve));
    };
    return { connection, open, close, dropped };
  }

  const ask = async (connection: RawConnection) => {
    await connection.send(get('/'));
    return (await connection.next())?.body;
  };

  it('closes the longest idle connection for one more than its limit', async () => {
    const limits = { maxConnections: 2 };
    const { connection: first, open, dropped } = await listen((_, response) => response.end('served'), { limits });
    const second = await open();
    expect([await ask(first), await ask(second), await ask(first)]).toEqual(['served', 'served', 'served']);
    const third = await open();
    expect(await second.next()).toBeNull();
    expect([await ask(first), await ask(third), dropped()]).toEqual(['served', 'served', 1]);
  });

  it('closes further connections at once while those within its limit are in use', async () => {
    const responses: ServerResponse[] = [];
    const limits = { maxConnections: 2 };
    const { connection: first, open } = await listen((_, response) => responses.push(response), { limits });
    const second = await open();
    for (const connection of [first, second]) await connection.send(get('/'));
    await waitFor(() => expect(responses).toHaveLength(2));
    expect(await (await open()).next()).toBeNull();
    for (const response of responses) response.end('served');
    expect([(await first.next())?.body, (await second.next())?.body]).toEqual(['served', 'served']);
  });

  it('limits the connections of each client address', async () => {
    const limits = { maxConnectionsPerClient: 1 };
    const { connection: first, open } = await listen((_, response) => response.end('served'), { limits });
    const other = await open('127.0.0.2');
    const second = await open();
    expect(await first.next()).toBeNull();
    expect([await ask(second), await ask(other)]).toEqual(['served', 'served']);
  });

  it('does not limit the connections of a trusted proxy as those of one client', async () => {
    const limits = { maxConnectionsPerClient: 1, trustProxy: '10.0.0.1,loopback' };
    const { connection: first, open } = await listen((_, response) => response.end('served'), { limits });
    const second = await open();
    expect([await ask(second), await ask(first)]).toEqual(['served', 'served']);
  });

  it('sends a response that was not flushed when the shutdown began to its end', async () => {
    let closed: Promise<void> = Promise.resolve();
    const { connection, close } = await listen((_request, response) => {
      response.setHeader('content-length', BODY_BYTES).end(Buffer.alloc(BODY_BYTES, 'x'));
      closed = close();
    });
    connection.pause();
    await connection.send(get('/'));
    await nextTurn();
    connection.resume();
    expect((await connection.next())?.body).toHaveLength(BODY_BYTES);
    await closed;
    expect(await connection.next()).toBeNull();
  });

  it('answers the next request of an idle connection after the shutdown began, and then closes it', async () => {
    const { connection, close } = await listen((_request, response) => response.end('served'), {
      lastRequestMs: 60_000,
    });
    await connection.send(get('/'));
    expect((await connection.next())?.headers.connection).toBe('keep-alive');
    const closed = close();
    await connection.send(get('/'));
    expect(await connection.next()).toMatchObject({ body: 'served', headers: { connection: 'close' } });
    await closed;
    expect(await connection.next()).toBeNull();
  });

  it('closes a connection after the response that was in progress when the shutdown began', async () => {
    let closed: Promise<void> = Promise.resolve();
    const { connection, close } = await listen((_request, response) => {
      setImmediate(() => {
        closed = close();
        response.end('late');
      });
    });
    await connection.send(get('/'));
    const response = await connection.next();
    expect(response?.headers.connection).toBe('close');
    await closed;
    expect(await connection.next()).toBeNull();
  });

  it('closes a connection that has sent no request', async () => {
    const { connection, close } = await listen(() => undefined);
    await close();
    expect(await connection.next()).toBeNull();
  });
});
