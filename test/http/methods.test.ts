import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { expectProblem, STAR, Stage, send } from './support.ts';

const LOOKUPS = [
  `/api/v1/lists/${STAR.list}/details`,
  `/api/v1/users/${STAR.name}/badges`,
  `/api/v1/lists/${STAR.list}/badges`,
  '/api/v1/leaderboard/search?term=a',
  `/api/v1/users/${STAR.address}/notifications?interval=all`,
  `/api/v1/users/${STAR.address}/followers?limit=3`,
  `/api/v1/lists/${STAR.list}/followers`,
];
const OPERATIONS = ['/health', '/ready', '/status', '/openapi.json', '/docs', '/'];
const PROBLEMS = [
  '/api/v1/nowhere',
  '/api/v1/lists/x/details',
  '/api/v1/lists/99999/details',
  '/api/v1/lists/%zz/details',
];

describe.each(anyEngine)('on $name', (engine) => {
  const stage = new Stage(engine);
  let service: Service;
  beforeAll(async () => {
    service = await stage.serveDemo();
  });
  afterAll(() => stage.close());

  it.each([...LOOKUPS, ...OPERATIONS, ...PROBLEMS])('HEAD %s is GET without a body', async (path) => {
    // Once before, so that neither of the two is the one that fills the cache.
    await send(service.url, { path });
    const get = await send(service.url, { path });
    const head = await send(service.url, { path, method: 'HEAD' });
    expect(head.body).toBe('');
    expect(head.status).toBe(get.status);
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)));
  });

  it('HEAD fills the cache for GET', async () => {
    const path = `/users/${STAR.address}/followers?limit=17`;
    expect((await service.get(path, { method: 'HEAD' })).headers.get('x-cache')).toBe('MISS');
    const { headers, json } = await service.get(path);
    expect([headers.get('x-cache'), json.followers.length]).toEqual(['HIT', 17]);
  });
});

// Nothing below gets as far as a database: one engine will do.
describe.each(anyEngine)('a request', (engine) => {
  const stage = new Stage(engine);
  let service: Service;
  beforeAll(async () => {
    service = await stage.serve(await stage.open());
  });
  afterAll(() => stage.close());

  const METHODS = ['POST', 'PUT', 'DELETE', 'PATCH'];
  const known = [...LOOKUPS, ...OPERATIONS].flatMap((path) => METHODS.map((method) => ({ method, path })));

  it.each(known)('$method $path is 405 and tells what is allowed', async ({ method, path }) => {
    const answer = await fetchAnswer(service.url + path, { method });
    expectProblem(answer, { status: 405, code: 'method-not-allowed' });
    expect(answer.headers.get('allow')?.split(/, */)).toEqual(expect.arrayContaining(['GET', 'HEAD']));
  });

  it.each([
    ['a JSON body', { 'content-type': 'application/json' }, '{"a":1}'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1'],
    ['a body of an unknown type', { 'content-type': 'application/x-nobody-knows' }, 'a'],
    ['a body without a type', {}, 'a'],
    ['broken JSON', { 'content-type': 'application/json' }, '{'],
    ['no body where JSON is announced', { 'content-type': 'application/json' }, ''],
    ['JSON that is after the prototype', { 'content-type': 'application/json' }, '{"__proto__":{"a":1}}'],
  ])('to write with %s is 405 as well: no body makes a path writable', async (_, headers, body) => {
    for (const method of METHODS) {
      const path = `/users/${STAR.address}/followers`;
      expectProblem(await service.get(path, { method, headers, body }), { status: 405, code: 'method-not-allowed' });
    }
  });

  it('to write with a body larger than is read is 405 as well', async () => {
    const path = `/api/v1/users/${STAR.address}/followers`;
    const headers = { 'content-type': 'text/plain', connection: 'close' };
    const { status } = await send(service.url, { path, method: 'PUT', headers, body: 'x'.repeat(1_100_000) });
    expect(status).toBe(405);
  });

  it.each([
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v2/leaderboard/search',
    '/API/v1/leaderboard/search',
    '/api/v1/leaderboard',
    '/api/v1/leaderboard/search/',
    '/api/v1/users',
    `/api/v1/users/${STAR.address}`,
    `/api/v1/users/${STAR.address}/following`,
    `/api/v1/users/${STAR.address}/Followers`,
    `/api/v1/users/a/b/followers`,
    `/api/v1/lists/1/notifications`,
    '/healthz',
    '/__proto__',
    '//api/v1/leaderboard/search',
  ])('to %s is 404, whatever the method', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const { status, headers, body } = await send(service.url, { path, method });
      expect({ method, status }).toEqual({ method, status: 404 });
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ status: 404, code: 'unknown-path' });
    }
  });

  it.each(['/docs/static/nothing.js', '/docs/static/%2e%2e%2f%2e%2e%2fpackage.json'])(
    'to %s, beside the files of the docs, is 404',
    async (path) => {
      const { status, body } = await send(service.url, { path });
      expect({ status, code: JSON.parse(body).code }).toEqual({ status: 404, code: 'unknown-path' });
    },
  );
});
