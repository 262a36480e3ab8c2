import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { expectProblem, ServiceFixture, STAR, send } from './support.ts';

const LOOKUPS = [
  `/api/v1/lists/${STAR.list}/details`,
  `/api/v1/users/${STAR.name}/badges`,
  `/api/v1/lists/${STAR.list}/badges`,
  '/api/v1/leaderboard/search?term=a',
  `/api/v1/users/${STAR.address}/notifications?interval=all`,
  `/api/v1/users/${STAR.address}/followers?limit=3`,
  `/api/v1/lists/${STAR.list}/followers`,
  `/api/v1/users/${STAR.address}/account`,
  `/api/v1/users/${STAR.address}/${STAR.name}/followerState`,
  `/api/v1/lists/${STAR.list}/following?limit=3&include=ens`,
  `/api/v1/lists/${STAR.list}/allFollowingAddresses`,
  `/api/v1/users/${STAR.name}/recommended/details`,
  '/api/v1/leaderboard/ranked?limit=3',
  '/api/v1/discover',
  '/api/v1/stats',
];
const OPERATIONS = ['/health', '/ready', '/status', '/openapi.json', '/docs', '/'];
const PROBLEMS = [
  '/api/v1/nowhere',
  '/api/v1/lists/x/details',
  '/api/v1/lists/99999/details',
  '/api/v1/lists/%zz/details',
];

describe.each(anyEngine)('HEAD requests', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serveDemo();
  });
  afterAll(() => fixture.close());

  it.each([...LOOKUPS, ...OPERATIONS, ...PROBLEMS])(
    'returns for HEAD %s the status and headers of GET, without a body',
    async (path) => {
      // Fills the cache, so that both requests below are hits.
      await send(service.url, { path });
      const get = await send(service.url, { path });
      const head = await send(service.url, { path, method: 'HEAD' });
      expect(head.body).toBe('');
      expect(head.status).toBe(get.status);
      const own = { date: '', 'x-request-id': '' };
      expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own });
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)));
    },
  );

  it('fills the cache for GET', async () => {
    const path = `/users/${STAR.address}/followers?limit=17`;
    expect((await service.get(path, { method: 'HEAD' })).headers.get('x-cache')).toBe('MISS');
    const { headers, json } = await service.get(path);
    expect([headers.get('x-cache'), json.followers.length]).toEqual(['HIT', 17]);
  });
});

describe.each(anyEngine)('unsupported methods and unknown paths', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serve(await fixture.open());
  });
  afterAll(() => fixture.close());

  const METHODS = ['POST', 'PUT', 'DELETE', 'PATCH'] as const;
  const known = [...LOOKUPS, ...OPERATIONS].flatMap((path) => METHODS.map((method) => ({ method, path })));

  it.each(known)('returns 405 with Allow for $method $path', async ({ method, path }) => {
    const answer = await fetchAnswer(service.url + path, { method });
    expectProblem(answer, { status: 405, code: 'method-not-allowed' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])(
    'returns 405 with Allow for %s on the batch of states, which takes POST only',
    async (method) => {
      const { status, headers } = await send(service.url, { path: '/api/v1/lists/1/buttonStateBatch', method });
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST, OPTIONS' });
    },
  );

  it.each([
    ['a JSON body', { 'content-type': 'application/json' }, '{"a":1}'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1'],
    ['a body of an unknown content type', { 'content-type': 'application/x-nobody-knows' }, 'a'],
    ['a body without a content type', {}, 'a'],
    ['broken JSON', { 'content-type': 'application/json' }, '{'],
    ['an empty body of type JSON', { 'content-type': 'application/json' }, ''],
    ['JSON with a __proto__ key', { 'content-type': 'application/json' }, '{"__proto__":{"a":1}}'],
  ])('returns 405 for a write with %s', async (_, headers, body) => {
    for (const method of METHODS) {
      const path = `/users/${STAR.address}/followers`;
      expectProblem(await service.get(path, { method, headers, body }), { status: 405, code: 'method-not-allowed' });
    }
  });

  it('returns 405 for a write with a body of more than 1 MiB', async () => {
    const path = `/api/v1/users/${STAR.address}/followers`;
    const headers = { 'content-type': 'text/plain', connection: 'close' };
    const { status } = await send(service.url, { path, method: 'PUT', headers, body: 'x'.repeat(1_100_000) });
    expect(status).toBe(405);
  });

  it.each([
    '/api',
    '/api/v1x',
    '/api/v2/leaderboard/search',
    '/API/v1/leaderboard/search',
    '/api/v1/leaderboard',
    '/api/v1/leaderboard/search/',
    '/api/v1/users',
    `/api/v1/users/${STAR.address}`,
    `/api/v1/users/${STAR.address}/Following`,
    `/api/v1/users/${STAR.address}/Followers`,
    `/api/v1/users/${STAR.address}/records`,
    `/api/v1/users/${STAR.address}/buttonStateBatch`,
    `/api/v1/users/${STAR.address}/recommended/`,
    '/api/v1/exportState',
    '/api/v1/lists/1/commonFollowers',
    '/api/v1/lists/1/lists',
    `/api/v1/users/a/b/followers`,
    `/api/v1/lists/1/notifications`,
    '/healthz',
    '/__proto__',
    '//api/v1/leaderboard/search',
  ])('returns 404 for %s with any method', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const { status, headers, body } = await send(service.url, { path, method });
      expect({ method, status }).toEqual({ method, status: 404 });
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ status: 404, code: 'unknown-path' });
    }
  });

  it.each([
    ['/api/v1/leaderboard/search/', '/api/v1/leaderboard/search'],
    ['//api//v1/leaderboard/search', '/api/v1/leaderboard/search'],
    ['/api/v1/users/ada.eth', '/api/v1/users/ada.eth/details'],
    ['/users/ada.eth/details', '/api/v1/users/ada.eth/details'],
    ['/api/users/ada.eth/', '/api/v1/users/ada.eth/details'],
    ['/v1/lists/3/followers', '/api/v1/lists/3/followers'],
    ['/status/', '/status'],
  ])('says for %s what to use', async (path, meant) => {
    const { status, body } = await send(service.url, { path });
    expect([status, JSON.parse(body).detail]).toEqual([404, `no route for ${path}, use ${meant}`]);
    expect((await send(service.url, { path: meant })).body).not.toContain('no route for');
  });

  it.each(['/api/v1/nowhere', '/api/v1/users', '/lists', `/${'/a'.repeat(8000)}`])(
    'refers to the documentation for %s, which resembles no route',
    async (path) => {
      const { body } = await send(service.url, { path });
      expect(JSON.parse(body).detail).toMatch(/^no route for .{1,200}, see \/docs for all routes$/);
    },
  );

  it.each(['/api/v1', '/api/v1/'])('answers at %s with paths that exist', async (path) => {
    const { status, body } = await send(service.url, { path });
    expect(status).toBe(200);
    const paths = Object.values<string>(JSON.parse(body)).filter((text) => text.startsWith('/'));
    expect(paths).toEqual(expect.arrayContaining(['/docs', '/openapi.json']));
    for (const known of paths) expect((await send(service.url, { path: known })).body).not.toContain('no route for');
  });

  it.each(['/docs/static/nothing.js', '/docs/static/%2e%2e%2f%2e%2e%2fpackage.json'])(
    'returns 404 for %s, which is no asset of the documentation',
    async (path) => {
      const { status, body } = await send(service.url, { path });
      expect({ status, code: JSON.parse(body).code }).toEqual({ status: 404, code: 'unknown-path' });
    },
  );
});
