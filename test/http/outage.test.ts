import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ANNS, annsList, BOB, bobsList, follow, logsOf } from '../model/small-history.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadProfiles } from '../support/load.ts';
import { fetchAnswer, type Service, startService } from '../support/service.ts';
import { expectProblem } from './support.ts';
import { createTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const LOOKUPS = [
  '/lists/0/details',
  `/users/${BOB}/badges`,
  '/users/bob.eth/badges',
  '/lists/0/badges',
  '/leaderboard/search',
  '/leaderboard/search?term=bob',
  `/users/${BOB}/notifications?interval=all`,
  `/users/${BOB}/followers`,
  `/users/${BOB}/followers?cache=fresh`,
  `/users/${BOB}/followers?tags=top8`,
  '/users/bob.eth/followers',
  '/lists/2/followers',
  `/users/${BOB}/account`,
  `/users/${BOB}/lists`,
  '/users/bob.eth/stats',
  `/users/${BOB}/bob.eth/followerState`,
  `/lists/0/${BOB}/buttonState`,
  '/lists/0/following',
  '/lists/0/following?sort=followers&include=ens',
  '/lists/0/searchFollowing?term=b',
  '/lists/2/taggedAs',
  '/exportState/0',
  `/users/${BOB}/commonFollowers?leader=bob.eth`,
  '/lists/0/recommended',
  '/lists/0/recommended/details',
  '/leaderboard/ranked',
  '/discover',
  '/stats',
  // Unknown lists and names are 503, not 404, while the database is unavailable.
  '/lists/999/details',
  '/users/nobody.eth/followers',
  '/lists/999/following',
  '/users/nobody.eth/account',
];
const OPERATIONS = ['/ready', '/status'];

// Only a database across a network becomes unavailable like this.
describe.each(engines.filter(({ name }) => name === 'postgres'))('a database outage on $name', (engine) => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let store: Store;
  let service: Service;
  const errors: Error[] = [];
  beforeEach(async () => {
    database = await engine.createOwn();
    proxy = await createTcpProxy(database.url);
    store = await openStore(
      { engine: 'postgres', url: proxy.url, poolSize: 4 },
      { onError: (error) => errors.push(error) },
    );
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    await loadProfiles(store, [{ address: BOB, name: 'bob.eth', avatar: '', fresh: 1 }]);
    service = await startService(store);
    // Fills the cache: its entries must not be served during the outage.
    for (const path of LOOKUPS) await service.get(path);
  });
  afterEach(async () => {
    await service.close();
    await store.close();
    await proxy.disconnect();
    await database.drop();
    errors.length = 0;
  });

  const expectUnavailable = async () => {
    // The store notices closed connections asynchronously.
    await vi.waitFor(() => expect(store.version.current()).toBeNull());
    const paths = [...LOOKUPS.map((path) => `/api/v1${path}`), ...OPERATIONS];
    const answers = await Promise.all(paths.map((path) => fetchAnswer(service.url + path)));
    expect(answers.map(({ status }, i) => `${status} ${paths[i]}`)).toEqual(paths.map((path) => `503 ${path}`));
    for (const answer of answers) {
      const detail = expectProblem(answer, { status: 503, code: 'unavailable' });
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(detail).not.toMatch(/kith_|postgres|127\.0\.0\.1|ECONN|57P01|3D000/i);
    }
  };

  it('returns 503 for everything that needs the database while connections are refused', async () => {
    await proxy.disconnect();
    await expectUnavailable();
  });

  it('returns 503 for everything that needs the database after it was dropped', async () => {
    const replacement = await engine.createOwn();
    await database.drop();
    database = replacement;
    await expectUnavailable();
  });

  it('returns 503 for a batch of states', async () => {
    await proxy.disconnect();
    await vi.waitFor(() => expect(store.version.current()).toBeNull());
    const headers = { 'content-type': 'application/json' };
    for (const body of [`["${BOB}"]`, '["bob.eth"]', '[]']) {
      const answer = await service.get('/lists/0/buttonStateBatch', { method: 'POST', headers, body });
      expectProblem(answer, { status: 503, code: 'unavailable' });
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  });

  it('returns 200 from /health', async () => {
    await proxy.disconnect();
    expect((await fetchAnswer(`${service.url}/health`)).status).toBe(200);
  });

  it('returns 400 for an invalid parameter', async () => {
    await proxy.disconnect();
    expectProblem(await service.get('/leaderboard/search?limit=0'), { status: 400, code: 'invalid-parameter' });
  });

  it('reports the outage to the log', async () => {
    await proxy.disconnect();
    await vi.waitFor(() => expect(store.version.current()).toBeNull());
    expect(errors.length).toBeGreaterThan(0);
  });

  it('answers as before once the database is back', async () => {
    const path = `/users/${BOB}/followers`;
    const before = await service.get(path);
    await proxy.disconnect();
    await vi.waitFor(() => expect(store.version.current()).toBeNull());
    expect((await service.get(path)).status).toBe(503);
    await proxy.reconnect();
    expect(await service.get(path)).toMatchObject({ status: 200, text: before.text });
    expect((await fetchAnswer(`${service.url}/ready`)).status).toBe(200);
  });

  it('serves from the cache again once the data version is known', async () => {
    const path = `/users/${BOB}/followers`;
    await proxy.disconnect();
    await vi.waitFor(() => expect(store.version.current()).toBeNull());
    await proxy.reconnect();
    // The store reconnects with backoff.
    await vi.waitFor(() => expect(store.version.current()).not.toBeNull(), { timeout: 30_000 });
    await service.get(path);
    expect((await service.get(path)).headers.get('x-cache')).toBe('HIT');
  });
});
