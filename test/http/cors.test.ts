import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, ANNS, annsList, BOB, follow, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { Stage, send, sendBytes } from './support.ts';

const followers = `/api/v1/users/${BOB}/followers`;
const ORIGINS = ['https://app.example', 'http://localhost:3000', 'null'];

// Who may read an answer does not depend on the engine: one will do.
describe.each(anyEngine)('a page', (engine) => {
  const stage = new Stage(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await stage.open();
    await loadLogs(store, logsOf([...annsList, follow(ANNS, BOB)]));
    service = await stage.serve(store);
  });
  afterAll(() => stage.close());

  const expectReadable = async (path: string, status: number, options: object = {}) => {
    for (const origin of ORIGINS) {
      const answer = await send(service.url, { path, headers: { origin }, ...options });
      expect({ path, status: answer.status }).toEqual({ path, status });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      // A wildcard and credentials together are refused by every browser.
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  };

  it.each([
    ['/api/v1/lists/0/details'],
    [`/api/v1/users/${ANN}/badges`],
    ['/api/v1/lists/0/badges'],
    ['/api/v1/leaderboard/search'],
    [`/api/v1/users/${BOB}/notifications`],
    [followers],
    ['/api/v1/lists/0/followers'],
    [`${followers}?cache=fresh`],
    ['/health'],
    ['/ready'],
    ['/status'],
    ['/metrics'],
    ['/openapi.json'],
  ])('of any origin may read the answer to %s', (path) => expectReadable(path, 200));

  it('of any origin may read an answer that comes from the cache', async () => {
    const path = `${followers}?limit=7`;
    await send(service.url, { path });
    const { headers } = await send(service.url, { path, headers: { origin: 'https://app.example' } });
    expect(headers).toMatchObject({ 'x-cache': 'HIT', 'access-control-allow-origin': '*' });
  });

  it('of any origin may read the tag of an answer and what the cache did', async () => {
    const { headers } = await send(service.url, { path: followers });
    const exposed = headers['access-control-expose-headers']?.toLowerCase().split(/, */);
    expect(exposed).toEqual(expect.arrayContaining(['etag', 'x-cache']));
  });

  it.each([
    ['400', `${followers}?limit=0`, 400],
    ['404 for a list', '/api/v1/lists/999/details', 404],
    ['404 for a name', '/api/v1/users/nobody.eth/followers', 404],
    ['404 for a path', '/nowhere', 404],
    ['400 for a path that cannot be read', '/api/v1/lists/%zz/details', 400],
  ])('of any origin may read a %s', (_, path, status) => expectReadable(path, status));

  it('of any origin may read a 405', () => expectReadable(followers, 405, { method: 'DELETE' }));

  it('of any origin may read a 304', async () => {
    const { headers } = await send(service.url, { path: followers });
    const origin = 'https://app.example';
    const answer = await send(service.url, {
      path: followers,
      headers: { origin, 'if-none-match': String(headers.etag) },
    });
    expect(answer).toMatchObject({ status: 304, body: '', headers: { 'access-control-allow-origin': '*' } });
  });

  it.each([
    ['that is too large', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['that is no HTTP', 'HELLO\r\n\r\n', 400],
  ])('of any origin may read what is wrong with a request %s', async (_, bytes, status) => {
    const received = await sendBytes(service.url, bytes);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toMatch(/\r\naccess-control-allow-origin: \*\r\n/i);
  });

  const preflight = (path: string, headers: Record<string, string>) =>
    send(service.url, {
      path,
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET', ...headers },
    });

  it.each([
    'content-type',
    'Content-Type',
    'content-type,x-app-version',
    'X-Custom-Header, Content-Type, Authorization, If-None-Match',
    'sentry-trace, baggage, x-requested-with, x_odd.header~name!',
  ])('that asks to send the headers %s may', async (asked) => {
    const { status, headers, body } = await preflight(followers, { 'access-control-request-headers': asked });
    expect({ status, body }).toEqual({ status: 204, body: '' });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-headers']).toBe(asked);
    expect(headers['access-control-allow-methods']?.split(/, */)).toEqual(expect.arrayContaining(['GET', 'HEAD']));
    // A cache between us must not give one page's permission to another.
    expect(headers.vary?.toLowerCase()).toContain('access-control-request-headers');
  });

  it('that asks to send no header of its own is told of none', async () => {
    const { status, headers } = await preflight(followers, {});
    expect({ status, allowed: headers['access-control-allow-headers'] }).toEqual({ status: 204, allowed: undefined });
  });

  it.each(['/api/v1/leaderboard/search?term=a', '/api/v1/lists/0/details', '/status', '/nowhere'])(
    'may ask before it reads %s',
    async (path) => {
      const { status, headers } = await preflight(path, { 'access-control-request-headers': 'content-type' });
      expect({ status, allowed: headers['access-control-allow-headers'] }).toEqual({
        status: 204,
        allowed: 'content-type',
      });
    },
  );

  it('that sends a content type with GET is answered as if it had not', async () => {
    const headers = { origin: 'https://app.example', 'content-type': 'application/json' };
    const { status, body } = await send(service.url, { path: followers, headers });
    expect({ status, body }).toEqual({ status: 200, body: (await send(service.url, { path: followers })).body });
  });
});
