import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRouteFinder } from '../../src/http/find-route.ts';
import { createRoutes } from '../../src/http/routes.ts';
import type { Lookups } from '../../src/lookup/lookups.ts';
import { STAR } from './support.ts';

// Safe: routes are described here, never answered.
const routes = createRoutes({ sources: { names: 'none', badges: 'none' } } as Lookups, Date.now);
const find = createRouteFinder('/api/v1', routes);

const plain = [
  `/api/v1/lists/${STAR.list}/details`,
  `/api/v1/users/${STAR.address}/badges`,
  '/api/v1/lists/0/badges',
  '/api/v1/leaderboard/search',
  '/api/v1/leaderboard/search?term=a',
  `/api/v1/users/${STAR.address}/notifications?interval=all&limit=5`,
  '/api/v1/users/ada.eth/followers?tags=a,b&sort=earliest',
  '/api/v1/lists/3/followers?limit=1&limit=2',
];
const odd = [
  '/',
  '/api/v1',
  '/api/v1/',
  '/api/v1//',
  '/api/v1/lists',
  '/api/v1/lists/',
  '/api/v1/lists//details',
  '/api/v1/lists/3/details/',
  '/api/v1/lists/3/details/more',
  '/api/v1/lists/3/detail',
  '/api/v1/lists/3/constructor',
  '/api/v1/Lists/3/details',
  '/api/v1/leaderboard/search/',
  '/api/v1/leaderboard//search',
  '/api/v1/leaderboard/a/search',
  '/api/v1/users/%61da.eth/followers',
  '/api/v1/users/ada.eth%2Ffollowers',
  '/api/v1/users/%/followers',
  '/api/v1/users/ada.eth/followers#x?limit=1',
  '/api/v1/users/ada.eth;x/followers',
  '/api/v1/users/ada.eth/followers;limit=1',
  `/api/v1/users/${'a'.repeat(300)}/followers`,
  '/api/v2/users/ada.eth/followers',
  '/api/v1/users/ada.eth/followers?limit=1#2',
];
const queries = [
  '?',
  '?&',
  '?a',
  '?=a',
  '?limit=%31',
  '?tags=a%2Cb+c&tags=',
  '?term=%',
  '?__proto__=1&constructor=2',
  '?term=a?b',
  '?limit=1;offset=2',
  '?term=/api/v1/lists/3/details',
].map((query) => `/api/v1/leaderboard/search${query}`);

describe('the route of a URL', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = Fastify({ routerOptions: { maxParamLength: 16_384 } });
    for (const { path } of routes) {
      app.get(`/api/v1${path}`, async ({ params, query }) => ({ path, params, query }));
    }
    await app.ready();
  });
  afterAll(() => app.close());

  const byFramework = async (url: string) => {
    const { statusCode, body } = await app.inject({ url });
    return statusCode === 200 ? JSON.parse(body) : null;
  };
  const byFinder = (url: string) => {
    const found = find(url);
    return found === null ? null : { path: found.route.path, params: found.params, query: { ...found.query } };
  };

  it.each(plain)('%s is found without the framework, as it would find it', async (url) => {
    expect(byFinder(url)).toEqual(await byFramework(url));
    expect(byFinder(url)).not.toBeNull();
  });

  it.each(queries)('%s is found as the framework would find it', async (url) => {
    expect(byFinder(url)).toEqual(await byFramework(url));
  });

  it.each(odd)('%s is left to the framework', (url) => {
    expect(byFinder(url)).toBeNull();
  });
});
