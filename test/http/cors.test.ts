import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, ANNS, annsList, BOB, follow, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { ServiceFixture, send, sendBytes } from './support.ts';

const followers = `/api/v1/users/${BOB}/followers`;
const ORIGINS = ['https://app.example', 'http://localhost:3000', 'null'];

describe.each(anyEngine)('CORS', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, follow(ANNS, BOB)]));
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const expectReadable = async (path: string, status: number, options: object = {}) => {
    for (const origin of ORIGINS) {
      const answer = await send(service.url, { path, headers: { origin }, ...options });
      expect({ path, status: answer.status }).toEqual({ path, status });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      // Browsers reject credentials together with a wildcard origin.
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
    [`/api/v1/users/${ANN}/account`],
    [`/api/v1/users/${ANN}/${BOB}/followerState`],
    ['/api/v1/lists/0/following?tags='],
    ['/api/v1/leaderboard/ranked'],
    ['/api/v1/discover'],
    ['/api/v1/stats'],
    [`${followers}?cache=fresh`],
    ['/health'],
    ['/ready'],
    ['/status'],
    ['/metrics'],
    ['/openapi.json'],
  ])('allows every origin to read %s', (path) => expectReadable(path, 200));

  it('allows every origin to read a cache hit', async () => {
    const path = `${followers}?limit=7`;
    await send(service.url, { path });
    const { headers } = await send(service.url, { path, headers: { origin: 'https://app.example' } });
    expect(headers).toMatchObject({ 'x-cache': 'HIT', 'access-control-allow-origin': '*' });
  });

  it('exposes ETag, Link, X-Cache, Kith-Incomplete, X-Request-Id, Retry-After and the headers of the rate limit', async () => {
    const { headers } = await send(service.url, { path: followers });
    const exposed = headers['access-control-expose-headers']?.toLowerCase().split(/, */);
    expect(exposed).toEqual([
      'etag',
      'link',
      'x-cache',
      'kith-incomplete',
      'x-request-id',
      'retry-after',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
    ]);
  });

  it.each([
    ['400', `${followers}?limit=0`, 400],
    ['404 for a list', '/api/v1/lists/999/details', 404],
    ['404 for a name', '/api/v1/users/nobody.eth/followers', 404],
    ['404 for a path', '/nowhere', 404],
    ['400 for a path with invalid percent-encoding', '/api/v1/lists/%zz/details', 400],
  ])('allows every origin to read an error response: %s', (_, path, status) => expectReadable(path, status));

  it('allows every origin to read a 405', () => expectReadable(followers, 405, { method: 'DELETE' }));

  it('allows every origin to read a 304', async () => {
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
    ['that is not HTTP', 'HELLO\r\n\r\n', 400],
  ])('allows every origin to read the error response to a request %s', async (_, bytes, status) => {
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
  ])('allows the requested headers in a preflight: %s', async (requested) => {
    const { status, headers, body } = await preflight(followers, { 'access-control-request-headers': requested });
    expect({ status, body }).toEqual({ status: 204, body: '' });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-headers']).toBe(requested);
    expect(headers['access-control-allow-methods']?.split(/, */)).toEqual(expect.arrayContaining(['GET', 'HEAD']));
    // A shared cache must not reuse the preflight response for other headers.
    expect(headers.vary?.toLowerCase()).toContain('access-control-request-headers');
  });

  it('allows no headers in a preflight that requests none', async () => {
    const { status, headers } = await preflight(followers, {});
    expect({ status, allowed: headers['access-control-allow-headers'] }).toEqual({ status: 204, allowed: undefined });
  });

  it.each(['/api/v1/leaderboard/search?term=a', '/api/v1/lists/0/details', '/status', '/nowhere'])(
    'answers a preflight for %s',
    async (path) => {
      const { status, headers } = await preflight(path, { 'access-control-request-headers': 'content-type' });
      expect({ status, allowed: headers['access-control-allow-headers'] }).toEqual({
        status: 204,
        allowed: 'content-type',
      });
    },
  );

  const batch = { path: '/api/v1/lists/0/buttonStateBatch', origin: 'https://app.example' };

  it('allows every origin to post a batch of states and to read the response', async () => {
    const headers = { origin: batch.origin, 'content-type': 'application/json' };
    const answer = await send(service.url, { path: batch.path, method: 'POST', headers, body: `["${BOB}"]` });
    expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
    const wrong = await send(service.url, { path: batch.path, method: 'POST', headers, body: '{' });
    expect(wrong).toMatchObject({ status: 400, headers: { 'access-control-allow-origin': '*' } });
  });

  it('allows POST and Content-Type in the preflight of a batch of states, and lets browsers cache it', async () => {
    const { status, headers } = await preflight(batch.path, {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '86400',
    });
    expect(headers['access-control-allow-methods']?.split(/, */)).toContain('POST');
  });

  it('answers an OPTIONS request for the batch of states with its own Allow', async () => {
    const { status, headers } = await send(service.url, { path: batch.path, method: 'OPTIONS' });
    expect({ status, allow: headers.allow }).toEqual({ status: 204, allow: 'POST, OPTIONS' });
  });

  it('ignores a Content-Type header on GET', async () => {
    const headers = { origin: 'https://app.example', 'content-type': 'application/json' };
    const { status, body } = await send(service.url, { path: followers, headers });
    expect({ status, body }).toEqual({ status: 200, body: (await send(service.url, { path: followers })).body });
  });

  it('answers an OPTIONS request that is not a preflight with 204 and Allow', async () => {
    const { status, headers } = await send(service.url, { path: followers, method: 'OPTIONS' });
    expect({ status, allow: headers.allow }).toEqual({ status: 204, allow: 'GET, HEAD, OPTIONS' });
  });

  it('lets browsers cache a preflight for a day', async () => {
    expect((await preflight(followers, {})).headers['access-control-max-age']).toBe('86400');
  });

  it('adds nothing to the Vary header of a response, because every origin gets the same', async () => {
    const { headers } = await send(service.url, { path: followers, headers: { origin: 'https://app.example' } });
    expect(headers.vary).toBe('Accept, Accept-Encoding');
  });
});
