import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { statement } from '../../src/store/statement.ts';
import type { Store } from '../../src/store/store.ts';
import { ANNS, annsList, BOB, bobsList, CAT, follow, logsOf } from '../model/small-history.ts';
import { queryDatabase } from '../store/query-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadProfiles, numberOf, touchGraph } from '../support/load.ts';
import { fetchAnswer, type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectProblem, write } from './support.ts';
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
  let recoveries = 0;
  beforeEach(async () => {
    database = await engine.createOwn();
    proxy = await createTcpProxy(database.url);
    store = await openStore(
      { engine: 'postgres', url: proxy.url, poolSize: 4 },
      {
        onError: (error) => errors.push(error),
        onRecovered: () => {
          recoveries += 1;
        },
      },
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
    recoveries = 0;
  });

  const expectUnavailable = async () => {
    // The store notices closed connections asynchronously.
    await waitFor(() => expect(store.version.current()).toBeNull());
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
    await waitFor(() => expect(store.version.current()).toBeNull());
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

  it('leaves the numbers of the database out of /metrics', async () => {
    expect((await fetchAnswer(`${service.url}/metrics`)).text).toMatch(/^kith_database_up 1$/m);
    await proxy.disconnect();
    const { status, text } = await fetchAnswer(`${service.url}/metrics`);
    expect(status).toBe(200);
    expect(text).toMatch(/^kith_database_up 0$/m);
    expect(text).toMatch(/^kith_process_resident_memory_bytes \d+$/m);
    expect(text).not.toMatch(/^kith_(rows|chain|data_version|database_bytes)/m);
  });

  it('returns 400 for an invalid parameter', async () => {
    await proxy.disconnect();
    expectProblem(await service.get('/leaderboard/search?limit=0'), { status: 400, code: 'invalid-parameter' });
  });

  it('reports an outage once, and its end once', async () => {
    await proxy.disconnect();
    await waitFor(() => expect(store.version.current()).toBeNull());
    for (const path of LOOKUPS) await service.get(path);
    expect(errors).toHaveLength(1);
    await proxy.reconnect();
    await expect.poll(() => recoveries).toBe(1);
    expect(errors).toHaveLength(1);
  });

  it('does not log the failed requests of an outage', async () => {
    const lines: string[] = [];
    const logged = await startService(store, { log: (line) => lines.push(line) });
    onTestFinished(() => logged.close());
    lines.length = 0;
    await proxy.disconnect();
    for (const path of LOOKUPS) expect((await logged.get(path)).status).toBe(503);
    expect(lines).toEqual([]);
  });

  it('answers as before once the database is back', async () => {
    const path = `/users/${BOB}/followers`;
    const before = await service.get(path);
    await proxy.disconnect();
    await waitFor(() => expect(store.version.current()).toBeNull());
    expect((await service.get(path)).status).toBe(503);
    await proxy.reconnect();
    expect(await service.get(path)).toMatchObject({ status: 200, text: before.text });
    expect((await fetchAnswer(`${service.url}/ready`)).status).toBe(200);
  });

  it('serves from the cache again once the data version is known', async () => {
    const path = `/users/${BOB}/followers`;
    await proxy.disconnect();
    await waitFor(() => expect(store.version.current()).toBeNull());
    await proxy.reconnect();
    // The store reconnects with backoff.
    await waitFor(() => expect(store.version.current()).not.toBeNull());
    await service.get(path);
    expect((await service.get(path)).headers.get('x-cache')).toBe('HIT');
  });

  it('does not serve a cached response after a commit whose notification was lost by the network', async () => {
    const path = '/lists/0/following';
    const before = await service.get(path);
    expect(before.headers.get('x-cache')).toBe('HIT');
    proxy.stall('kith-version');
    const direct = await database.open();
    await write(direct, [follow(ANNS, CAT)]);
    const answer = () => service.get(path);
    await expect.poll(async () => (await answer()).text).not.toBe(before.text);
    expect((await answer()).headers.get('x-cache')).toBe('MISS');
    expect(store.version.current()).toBeNull();
    proxy.resume();
    await expect.poll(async () => (await answer()).headers.get('x-cache')).toBe('HIT');
    expect(numberOf(store.version.current())).toBe(numberOf(direct.version.current()));
    await direct.close();
  });

  it('returns 503 while the network loses all traffic, and answers again afterwards', async () => {
    const path = `/users/${BOB}/followers`;
    const before = await service.get(path);
    proxy.stall();
    await waitFor(() => expect(store.version.current()).toBeNull());
    const answers = await Promise.all(LOOKUPS.map((lookup) => service.get(lookup)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    proxy.resume();
    await expect.poll(async () => (await service.get(path)).status).toBe(200);
    expect((await service.get(path)).text).toBe(before.text);
  });

  it('returns 503 while a table is locked, leaves no sessions behind, and answers after the unlock', async () => {
    const countSessions = () =>
      queryDatabase(
        database,
        "select pid from pg_stat_activity where application_name = 'kith' and datname = current_database()",
      );
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table edges in access exclusive mode');
    await store.transaction(touchGraph);
    // More requests than connections, twice: a session that outlives its request would be in addition to the pool.
    for (const _round of [1, 2]) {
      const paths = Array.from({ length: 8 }, (_, i) => `/users/${BOB}/followers?limit=${i + 1}`);
      const answers = await Promise.all(paths.map((path) => service.get(path)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      expect((await countSessions()).length).toBeLessThanOrEqual(4 + 1);
    }
    expect((await service.get('/stats')).status).toBe(200);
    await holder.end();
    expect((await service.get(`/users/${BOB}/followers?limit=1`)).status).toBe(200);
  });

  const endSessions = () =>
    queryDatabase(
      database,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'kith%' and datname = current_database()",
    );

  it('rejects the next read of a stream whose connection was lost between two reads', async () => {
    const numbers = statement<object, { i: number }>((db) =>
      db.selectFrom(sql<{ i: number }>`generate_series(1, 10000)`.as<'i'>('i')).select('i'),
    );
    const stream = store.streams.stream(numbers, {});
    expect((await stream.next()).done).toBe(false);
    await proxy.disconnect();
    await waitFor(() => expect(store.version.current()).toBeNull());
    await expect(stream.next()).rejects.toThrow('the database cannot be reached');
    await proxy.reconnect();
    await expect.poll(async () => (await service.get('/lists/2/taggedAs')).status).toBe(200);
  });

  it('answers correctly or with 503 while all sessions are terminated again and again', async () => {
    const path = `/users/${BOB}/followers`;
    const expected = (await service.get(path)).text;
    const uncached = await startService(store, { cacheBytes: 0 });
    onTestFinished(() => uncached.close());
    for (let round = 0; round < 20; round += 1) {
      const answers = Array.from({ length: 20 }, () => uncached.get(path));
      await endSessions();
      for (const { status, text } of await Promise.all(answers)) {
        if (status === 200) expect(text).toBe(expected);
        else expect(status).toBe(503);
      }
    }
    await expect.poll(async () => (await uncached.get(path)).status).toBe(200);
  });
});
