import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { ServiceFixture, STAR, send } from './support.ts';

const ROUTES = [
  `/users/${STAR.address}/account`,
  `/lists/${STAR.list}/account`,
  `/users/${STAR.name}/stats`,
  `/users/${STAR.address}/lists`,
  `/users/${STAR.address}/${STAR.name}/followerState`,
  `/lists/${STAR.list}/following?limit=100&include=ens`,
  `/users/${STAR.address}/allFollowers?sort=followers`,
  `/lists/${STAR.list}/searchFollowers?term=a`,
  `/lists/${STAR.list}/allFollowingAddresses`,
  `/exportState/${STAR.list}`,
  `/users/${STAR.address}/taggedAs`,
  `/users/${STAR.address}/commonFollowers?leader=${STAR.name}`,
  `/users/${STAR.name}/recommended/details`,
  `/users/${STAR.name}/simple-profile`,
  `/users/${STAR.name}/qr`,
  `/lists/${STAR.list}/records`,
  '/leaderboard/mutes',
  '/leaderboard/all',
  '/minters',
  '/leaderboard/ranked?sort=top8',
  '/discover?limit=20',
  '/stats',
];
const LARGE = [
  `/lists/${STAR.list}/allFollowers?limit=100`,
  `/lists/${STAR.list}/followers?limit=50&include=ens`,
  '/leaderboard/ranked?limit=100',
];

describe.each(anyEngine)('the delivery of the client lookups', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serveDemo();
  });
  afterAll(() => fixture.close());

  it.each(ROUTES)('caches %s, and cache=fresh bypasses the cache and updates it', async (path) => {
    const get = async (query = '') => {
      const { status, headers, text } = await service.get(path + query);
      return { status, state: headers.get('x-cache'), text };
    };
    const { status, state, text } = await get();
    expect([status, state]).toEqual([200, 'MISS']);
    expect(await get()).toEqual({ status: 200, state: 'HIT', text });
    const fresh = path.includes('?') ? '&cache=fresh' : '?cache=fresh';
    expect(await get(fresh)).toEqual({ status: 200, state: 'FRESH', text });
    expect(await get(fresh)).toEqual({ status: 200, state: 'FRESH', text });
    expect(await get()).toEqual({ status: 200, state: 'HIT', text });
  });

  it.each(ROUTES)('revalidates %s by ETag: 304 without a body, for GET and HEAD', async (path) => {
    const etag = (await service.get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]+"$/);
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await service.get(path, { method, headers: { 'if-none-match': etag } });
      expect({ method, status: answer.status, text: answer.text }).toEqual({ method, status: 304, text: '' });
    }
    expect((await service.get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it.each(LARGE)('compresses %s and keeps its body, for misses and hits', async (path) => {
    const { text } = await service.get(path);
    const headers = { 'accept-encoding': 'br' };
    for (const url of [`/api/v1${path}`, `/api/v1${path}`, `/api/v1${path}&cache=fresh`]) {
      const answer = await send(service.url, { path: url, headers });
      expect(answer.headers).toMatchObject({ 'content-encoding': 'br' });
      expect(answer.headers.vary).toMatch(/^(Accept, )?Accept-Encoding$/);
      expect(brotliDecompressSync(answer.bytes).toString()).toBe(text);
    }
    const head = await send(service.url, { path: `/api/v1${path}`, method: 'HEAD', headers });
    expect([head.headers['content-encoding'], head.body]).toEqual(['br', '']);
  });
});
