import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from '../../src/http/request/resolve.ts';
import { createRoutes } from '../../src/http/routes/routes.ts';
import type { Lookups } from '../../src/lookup/lookups.ts';
import { ANN, ANNS, annsList, BOB, bobsList, follow, logsOf, tag } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles } from '../support/load.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { nextOf } from './page-links.ts';
import { NOW, ServiceFixture } from './support.ts';

const followers = `/users/${BOB}/followers`;
const checksummed = `/users/0x${BOB.slice(2).toUpperCase()}/followers`;

/** Spellings of one request each. */
const SPELLINGS: readonly (readonly string[])[] = [
  [followers, `${followers}?limit=10`, `${followers}?utm=1`, `${followers}?limit=010&offset=0&sort=`, checksummed],
  [`${followers}?limit=1000&sort=earliest`, `${followers}?sort=EARLIEST&limit=5000`],
  [`${followers}?tags=top8,gm&include=ens`, `${followers}?include=x,ens&include=y&tags=%20GM,top8,gm`],
  ['/lists/2/followers', '/lists/002/followers?cache=old', '/lists/2/followers?tags='],
  ['/users/bob.eth/followers?limit=2', '/users/BOB.eth/followers?limit=2', `${followers}?limit=2`],
  [`/users/${ANN}/bob.eth/buttonState`, `/users/${ANN}/${BOB}/buttonState`],
  ['/leaderboard/all?limit=5', '/leaderboard/all?limit=05&offset='],
];

describe.each(engines)('equal requests on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeEach(async () => {
    const store = await fixture.open();
    const records = [follow(ANNS, BOB), tag(ANNS, BOB, 'gm'), follow(ANNS, ANN)];
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...records]));
    await loadProfiles(store, [{ address: BOB, name: 'bob.eth', fresh: NOW }]);
    service = await fixture.serve(await fixture.open());
  });
  afterEach(() => fixture.close());

  it.each(SPELLINGS)('have one entry in the cache, however they are spelled: %s', async (first, ...others) => {
    const { text, headers } = await service.get(first);
    expect(headers.get('x-cache')).toBe('MISS');
    for (const path of others) {
      // The second time, the URL is known.
      for (const _ of [1, 2]) {
        const answer = await service.get(path);
        expect([path, answer.headers.get('x-cache'), answer.text]).toEqual([path, 'HIT', text]);
      }
    }
  });

  it('do not remove others from the cache by parameters that mean nothing', async () => {
    const small = await fixture.serve(await fixture.open(), { cacheBytes: 64 * 1024 });
    await small.get(followers);
    for (let i = 0; i < 200; i += 1) await small.get(`/users/${ANN}/followers?utm=${i}`);
    expect((await small.get(followers)).headers.get('x-cache')).toBe('HIT');
    const { text } = await fetchAnswer(`${small.url}/metrics`);
    expect(Number(/^kith_cache_bytes (\d+)$/m.exec(text)?.[1])).toBeLessThan(64 * 1024);
  });

  it('have a link that repeats the parameters as each of them spells them', async () => {
    const demo = new ServiceFixture(engine);
    const { get } = await demo.serveDemo();
    const paths = ['/leaderboard/all?limit=5', '/leaderboard/all?limit=05', '/leaderboard/all?utm=1&limit=5'];
    for (const _ of [1, 2]) {
      for (const path of paths) {
        const next = nextOf(path, await get(path)) ?? expect.fail('no link');
        expect(next).toMatch(/^\/leaderboard\/all\?limit=0?5&cursor=[\w-]+$/);
        expect(next.includes('=05')).toBe(path.includes('=05'));
        expect((await get(next)).status).toBe(200);
      }
    }
    await demo.close();
  });
});

describe.each(engines)('the name of a request on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  it('leads to its new holder as soon as profiles have changed, also at a URL that was answered before', async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    await loadProfiles(store, [{ address: BOB, name: 'bob.eth', fresh: NOW }]);
    const service = await fixture.serve(store);
    const stats = async () => (await service.get('/users/bob.eth/stats')).json.followers_count;
    expect([await stats(), await stats()]).toEqual([1, 1]);
    await loadProfiles(store, [{ address: ANN, name: 'bob.eth', fresh: NOW + 1 }]);
    await expect.poll(stats).toBe(0);
  });
});

/** A schema without optional properties. */
function requiredFields(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (!Array.isArray(value?.required)) return value;
    return {
      ...value,
      properties: Object.fromEntries(value.required.map((name: string) => [name, value.properties[name]])),
    };
  });
}

describe('routes', () => {
  // Safe: no lookup runs.
  const lookups = { sources: { names: 'none', badges: 'none' } } as unknown as Lookups;
  const routes = Object.values(createRoutes(lookups, () => 0)).flat();

  it.each(routes.map((route) => [route.path, route] as const))('declare what an answer depends on: %s', (_, route) => {
    expect(route.dependsOn).toEqual([...new Set(route.dependsOn)]);
    const fields = JSON.stringify(requiredFields(route.response));
    const isEmptyOnPurpose = route.path.endsWith('/qr');
    expect(route.dependsOn.length > 0 || isEmptyOnPurpose).toBe(true);
    // Each shows what only that source has.
    if (/"fresh"/.test(fields)) expect(route.dependsOn).toContain('profiles');
    else if (/"(avatar|userAvatar)"/.test(fields)) expect(route.dependsOn).toContain('names');
    if (/_rank"|"last_updated"/.test(fields)) expect(route.dependsOn).toContain('ranks');
    if (/"poaps"/.test(fields)) expect(route.dependsOn).toContain('badges');
    if (route.path.startsWith('/lists/')) expect(route.dependsOn).toContain('graph');
  });

  it('keep none of the parameters that they do not have, of which a URL may have thousands', () => {
    const route = routes.find(({ path }) => path === '/leaderboard/all') ?? expect.fail('no route');
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`p${i}`, '']));
    const query = { ...unknown, limit: '05', offset: '' };
    // Safe: nothing else of the request is read.
    const request = { params: {}, query, headers: {} } as unknown as FastifyRequest;
    expect(parse(route, request).given).toEqual({ limit: '05' });
  });
});
