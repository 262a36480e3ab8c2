import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { toBinary } from '../../src/contract/binary-string.ts';
import type { Offer } from '../../src/http/exchange.ts';
import { PlainConnections, type PlainConnectionsOptions } from '../../src/http/plain-connections.ts';
import { engines } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { Line } from './line.ts';
import { STAR, Stage } from './support.ts';

const followers = `/api/v1/users/${STAR.address}/followers`;
const details = `/api/v1/lists/${STAR.list}/details`;
const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: kith', ...headers].join('\r\n')}\r\n\r\n`;
/** What browsers send. */
const BROWSER = [
  'Connection: keep-alive',
  'sec-ch-ua: "Chromium";v="140", "Not=A?Brand";v="24"',
  'Accept: */*',
  'Origin: https://example.org',
  'Accept-Encoding: gzip, deflate, br',
  'Content-Type: application/json',
];

// Sockets are the same whatever the engine: one will do.
describe.each(engines.slice(0, 1))('a connection', (engine) => {
  const stage = new Stage(engine);
  const lines: Line[] = [];
  let service: Service;
  beforeAll(async () => {
    service = await stage.serveDemo();
  });
  afterEach(() => {
    for (const line of lines.splice(0)) line.close();
  });
  afterAll(() => stage.close());

  async function open(): Promise<Line> {
    const line = await Line.open(service.url);
    lines.push(line);
    return line;
  }

  /** What comes back for a request that is sent in pieces, on a line of its own. */
  async function answerTo(...pieces: string[]) {
    const line = await open();
    for (const piece of pieces) {
      line.send(piece);
      // So that no two of them arrive as one.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return line.next();
  }

  it.each([
    ['a page', get(followers), 200],
    ['a page with letters of all kinds', get(`${followers}?limit=1000`), 200],
    ['a page asked for by a browser', get(`${followers}?limit=3`, ...BROWSER), 200],
    ['details', get(details), 200],
    ['a search', get('/api/v1/leaderboard/search?term=e'), 200],
    ['a tag that still stands', get(details, 'If-None-Match: *'), 304],
    ['a wrong parameter', get(`${followers}?limit=x`), 400],
    ['a wrong parameter with other letters', get(`${followers}?limit=%C3%A9`), 400],
    ['an unknown list', get('/api/v1/lists/99999999/details'), 404],
    ['an unknown path', get('/api/v1/nowhere'), 404],
    ['an escaped path', get(`/api/v1/users/${STAR.address}/f%6fllowers`), 200],
    ['no path', get('/api/v1/'), 404],
    ['no host', `GET ${details} HTTP/1.1\r\nAccept: */*\r\n\r\n`, 400],
    ['no headers', `GET ${details} HTTP/1.1\r\n\r\n`, 400],
    ['a header without a name', get(details, ': a'), 400],
    ['a header with a space in its name', get(details, 'a b: c'), 400],
    ['a header that goes on in the next line', get(details, 'a: b', ' c'), 400],
    ['a header that ends early', get(details, 'a: b\nX: c'), 400],
    ['a header with a control character', get(details, 'a: b\u0001'), 400],
    ['a header with other letters', get(details, 'a: \u00e9'), 200],
    ['another version', `GET ${details} HTTP/1.7\r\nHost: a\r\n\r\n`, 400],
    ['an old version', `GET ${details} HTTP/1.0\r\nHost: a\r\n\r\n`, 200],
    ['a method in small letters', `get ${details} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['two spaces', `GET  ${details} HTTP/1.1\r\nHost: a\r\n\r\n`, 200],
    ['an address with a host', `GET http://kith${details} HTTP/1.1\r\nHost: kith\r\n\r\n`, 200],
    ['the last of its connection', get(details, 'Connection: close'), 200],
    ['an upgrade', get(details, 'Connection: Upgrade', 'Upgrade: websocket'), 200],
    ['both lengths', get(details, 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
    ['a very long header', get(details, `a: ${'b'.repeat(20_000)}`), 431],
  ])(
    'that brings %s at once gets what Node, which reads it when it comes in pieces, answers',
    async (_, text, status) => {
      // Once before, so that neither of the two is the one that fills the cache.
      await answerTo(text);
      const plain = await answerTo(text);
      const pieces = await answerTo(text.slice(0, 10), text.slice(10));
      expect(plain?.head[0]).toContain(` ${status} `);
      expect(plain?.body).toBe(pieces?.body);
      expect(plain?.head.map((line) => line.toLowerCase()).sort()).toEqual(
        pieces?.head.map((line) => line.toLowerCase()).sort(),
      );
    },
  );

  it('that brings the tag which stands in the second of two lines is told so', async () => {
    const tag = (await answerTo(get(details)))?.head.find((line) => line.startsWith('ETag: '))?.slice('ETag: '.length);
    const answer = await answerTo(get(details, 'If-None-Match: "another"', `If-None-Match: ${tag}`));
    expect(answer?.head[0]).toContain(' 304 ');
  });

  it('may bring a request in two pieces, wherever it is cut', async () => {
    const text = get(`${followers}?limit=2`, 'Accept: */*');
    const whole = await answerTo(text);
    expect(whole?.head[0]).toBe('HTTP/1.1 200 OK');
    for (let at = 1; at < text.length; at++) {
      expect((await answerTo(text.slice(0, at), text.slice(at)))?.body, `cut at ${at}`).toBe(whole?.body);
    }
  });

  it('takes one request after the other, whoever reads them', async () => {
    const line = await open();
    for (const [limit, ...headers] of [['1'], ['2'], ['3', 'Name: \u00e9'], ['4'], ['5', 'Content-Length: 0'], ['6']]) {
      line.send(get(`${followers}?limit=${limit}`, ...headers));
      expect(JSON.parse((await line.next())?.body ?? '').followers).toHaveLength(Number(limit));
    }
  });

  it('gets its answers in order when it asks without waiting', async () => {
    const line = await open();
    const limits = Array.from({ length: 20 }, (_, i) => i + 1);
    line.send(get(`${followers}?limit=30`));
    line.send(limits.map((limit) => get(`${followers}?limit=${limit}`)).join(''));
    for (const limit of [30, ...limits]) {
      expect(JSON.parse((await line.next())?.body ?? '').followers).toHaveLength(limit);
    }
  });

  it('cannot bring a request in the body of another', async () => {
    const hidden = get(details);
    const line = await open();
    line.send(get(`${followers}?limit=1`, `Content-Length: ${hidden.length}`) + hidden);
    expect(JSON.parse((await line.next())?.body ?? '').followers).toHaveLength(1);
    expect(await line.next()).toBeNull();
  });

  it.each([
    ['a lookup', get(details), '200 OK'],
    ['a lookup that Node reads', get(details, 'Name: \u00e9'), '200 OK'],
    ['an escaped path', get(`/api/v1/users/${STAR.address}/f%6fllowers`), '200 OK'],
    ['an operation', get('/health'), '200 OK'],
    ['an unknown path', get('/api/v1/nowhere'), '404 Not Found'],
  ])('is answered for %s though its client sends no more, and then closed', async (_, text, status) => {
    const line = await open();
    line.send(text);
    line.finish();
    expect((await line.next())?.head[0]).toBe(`HTTP/1.1 ${status}`);
    expect(await line.next()).toBeNull();
  });

  it('is closed when its client leaves without a word', async () => {
    const line = await open();
    line.finish();
    expect(await line.next()).toBeNull();
  });
});

describe('plain connections', () => {
  const servers: net.Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function listen(options: Partial<PlainConnectionsOptions>) {
    const plain = new PlainConnections({
      answer: (offer) => offer.send(200, 'Content-Length: 2\r\n', toBinary('ok')),
      leave: (socket) => socket.destroy(),
      firstMs: 60_000,
      nextMs: 60_000,
      ...options,
    });
    const sockets: net.Socket[] = [];
    const server = net.createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket);
      plain.take(socket);
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const another = () => Line.open(`http://127.0.0.1:${port}`);
    const line = await another();
    if (sockets.length === 0) await once(server, 'connection');
    return { plain, line, sockets, another };
  }

  it('end when nothing is asked for too long', async () => {
    const { line } = await listen({ firstMs: 1 });
    expect(await line.next()).toBeNull();
  });

  it('end when nothing more is asked for too long', async () => {
    const { line } = await listen({ nextMs: 1 });
    line.send(get('/'));
    expect((await line.next())?.body).toBe('ok');
    expect(await line.next()).toBeNull();
  });

  it('do not end while an answer is being made', async () => {
    const offers = new EventEmitter();
    const { line, plain } = await listen({ answer: (offer) => offers.emit('offer', offer) });
    line.send(get('/'));
    const [offer] = (await once(offers, 'offer')) as [Offer];
    plain.drain();
    offer.send(200, 'Content-Length: 4\r\n', toBinary('late'));
    const answer = await line.next();
    expect([answer?.body, answer?.head.at(-1)]).toEqual(['late', 'Connection: close']);
    expect(await line.next()).toBeNull();
  });

  it('are not read any more after their last answer, and that is sent to its end', async () => {
    const body = toBinary('x'.repeat(30_000_000));
    let answers = 0;
    const { line, plain } = await listen({
      answer(offer) {
        answers += 1;
        offer.send(200, `Content-Length: ${body.length}\r\n`, body);
        plain.drain();
        line.send(get('/'));
      },
    });
    line.send(get('/'));
    expect((await line.next())?.body).toHaveLength(body.length);
    expect([await line.next(), answers]).toEqual([null, 1]);
  });

  it('are left to nobody when their client is gone', async () => {
    const offers = new EventEmitter();
    const left: net.Socket[] = [];
    const { line, sockets } = await listen({
      answer: (offer) => offers.emit('offer', offer),
      leave: (socket) => left.push(socket),
    });
    line.send(get('/'));
    const [offer] = (await once(offers, 'offer')) as [Offer];
    const [socket] = sockets;
    line.send(get('/'));
    await vi.waitFor(() => expect(socket?.bytesRead).toBe(2 * get('/').length));
    socket?.destroy();
    offer.send(200, 'Content-Length: 2\r\n', toBinary('ok'));
    expect(left).toEqual([]);
  });

  it('end when a client does not take its answer for too long', async () => {
    const { line, sockets } = await listen({
      nextMs: 50,
      answer: (offer) => offer.send(200, '', toBinary('x'.repeat(30_000_000))),
    });
    line.pause();
    line.send(get('/'));
    await once(sockets[0] as net.Socket, 'close');
    expect(line.received).toBe(0);
  });

  it('are cut, if need be, and not taken any more when the service ends', async () => {
    const { line, plain, another } = await listen({ answer: () => undefined });
    line.send(get('/'));
    plain.drain();
    const late = await another();
    expect(await late.next()).toBeNull();
    plain.cut();
    expect(await line.next()).toBeNull();
  });

  it('are not read further before their clients have taken what they asked for', async () => {
    const body = toBinary('x'.repeat(30_000_000));
    /** How much had been taken when each was asked. */
    const taken: number[] = [];
    const asked = new EventEmitter();
    const { line } = await listen({
      answer: (offer) => {
        taken.push(line.received);
        offer.send(200, `Content-Length: ${body.length}\r\n`, body);
        asked.emit('first');
      },
    });
    line.send(get('/'));
    await once(asked, 'first');
    line.send(get('/'));
    for (let answers = 0; answers < 2; answers++) expect((await line.next())?.body).toHaveLength(body.length);
    expect(taken[1]).toBeGreaterThan(body.length / 2);
  });
});
