import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ANNS, annsList, BOB, bobsList, follow, logsOf } from '../model/small-history.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadProfiles } from '../support/load.ts';
import { fetchAnswer, type Service, startService } from '../support/service.ts';
import { createDoor, type Door } from './door.ts';
import { expectProblem } from './support.ts';

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
  // What nobody holds is unknown only while somebody can be asked.
  '/lists/999/details',
  '/users/nobody.eth/followers',
];
const OPERATIONS = ['/ready', '/status'];

// A file on the same machine does not go away like this: the engine across a network does.
describe.each(engines.filter(({ name }) => name === 'postgres'))('while the database of $name is gone', (engine) => {
  let database: TestDatabase;
  let door: Door;
  let store: Store;
  let service: Service;
  const errors: Error[] = [];
  beforeEach(async () => {
    database = await engine.createOwn();
    door = await createDoor(database.url);
    store = await openStore(
      { engine: 'postgres', url: door.url, poolSize: 4 },
      { onError: (error) => errors.push(error) },
    );
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    await loadProfiles(store, [{ address: BOB, name: 'bob.eth', avatar: '', fresh: 1 }]);
    service = await startService(store);
    // Once each, so that there is something in the cache that could be given out wrongly.
    for (const path of LOOKUPS) await service.get(path);
  });
  afterEach(async () => {
    await service.close();
    await store.close();
    await door.shut();
    await database.drop();
    errors.length = 0;
  });

  const expectUnavailable = async () => {
    // The news that the connections are cut comes by those connections, some moments after the deed.
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

  it('for nobody gets through to it, everything that needs it is 503', async () => {
    await door.shut();
    await expectUnavailable();
  });

  it('for it was dropped, everything that needs it is 503', async () => {
    const gone = await engine.createOwn();
    await database.drop();
    database = gone;
    await expectUnavailable();
  });

  it('/health still tells that the process is alive', async () => {
    await door.shut();
    expect((await fetchAnswer(`${service.url}/health`)).status).toBe(200);
  });

  it('a bad request is still told what is wrong with it', async () => {
    await door.shut();
    expectProblem(await service.get('/leaderboard/search?limit=0'), { status: 400, code: 'invalid-parameter' });
  });

  it('the outage is logged, though the answers do not tell of it', async () => {
    await door.shut();
    await vi.waitFor(() => expect(store.version.current()).toBeNull());
    expect(errors.length).toBeGreaterThan(0);
  });

  it('and comes back, everything is answered again as before', async () => {
    const path = `/users/${BOB}/followers`;
    const before = await service.get(path);
    await door.shut();
    await vi.waitFor(() => expect(store.version.current()).toBeNull());
    expect((await service.get(path)).status).toBe(503);
    await door.open();
    expect(await service.get(path)).toMatchObject({ status: 200, text: before.text });
    expect((await fetchAnswer(`${service.url}/ready`)).status).toBe(200);
  });

  it('and comes back, the cache works again once the version is known', async () => {
    const path = `/users/${BOB}/followers`;
    await door.shut();
    await vi.waitFor(() => expect(store.version.current()).toBeNull());
    await door.open();
    // The store tries again by itself, at an interval of its own.
    await vi.waitFor(() => expect(store.version.current()).not.toBeNull(), { timeout: 30_000 });
    await service.get(path);
    expect((await service.get(path)).headers.get('x-cache')).toBe('HIT');
  });
});
