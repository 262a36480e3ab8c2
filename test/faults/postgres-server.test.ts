import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ANNS, annsList, BOB, bobsList, follow, logsOf } from '../model/small-history.ts';
import { databaseFolder } from '../support/database-folder.ts';
import { loadLogs } from '../support/load.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { type Service, startService } from '../support/service.ts';

const PATHS = [`/users/${BOB}/followers`, '/lists/0/following', '/stats', '/lists/0/details'];
const MAX_CONNECTIONS = 20;
const POOL = 4;

describe('a PostgreSQL server of its own', () => {
  let server: PostgresServer;
  let store: Store;
  let service: Service;
  let expected: string[];
  const errors: Error[] = [];
  beforeAll(async () => {
    server = await startPostgresServer({
      folder: await databaseFolder(),
      settings: { max_connections: MAX_CONNECTIONS, superuser_reserved_connections: 0, max_wal_senders: 0 },
    });
    store = await openStore(
      { engine: 'postgres', url: server.url, poolSize: POOL },
      { onError: (error) => errors.push(error) },
    );
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    // Without a cache, so that every request reads the database.
    service = await startService(store, { cacheBytes: 0 });
    expected = await Promise.all(PATHS.map(async (path) => (await service.get(path)).text));
  });
  afterAll(async () => {
    await service.close();
    await store.close();
    await server.stop();
  });

  /** Requests every path, and checks that an answer is the known one or 503. Returns the number of the former. */
  const requestAll = async () => {
    const answers = await Promise.all(PATHS.map((path) => service.get(path)));
    for (const [i, { status, text }] of answers.entries()) {
      if (status === 200) expect(text).toBe(expected[i]);
      else expect(status).toBe(503);
    }
    return answers.filter(({ status }) => status === 200).length;
  };
  /** Requests in a loop while `work` runs. */
  const requestWhile = async (work: () => Promise<void>) => {
    let isDone = false;
    const requests = (async () => {
      while (!isDone) await requestAll();
    })();
    await work();
    isDone = true;
    await requests;
  };
  const recovers = () => expect.poll(requestAll).toBe(PATHS.length);

  it('may crash and restart under load: answers are the known ones or 503', async () => {
    await requestWhile(async () => {
      await server.crash();
      expect(await requestAll()).toBe(0);
      await server.restart();
    });
    await recovers();
    await expect.poll(() => store.version.current()).not.toBeNull();
  });

  it('may reach its connection limit: requests without a connection are 503, and recover when there are some', async () => {
    const others: pg.Client[] = [];
    onTestFinished(async () => {
      for (const other of others) await other.end();
    });
    const takeConnections = async () => {
      for (;;) {
        const other = new pg.Client({ connectionString: server.url });
        other.on('error', () => undefined);
        try {
          await other.connect();
        } catch (error) {
          expect(error).toMatchObject({ code: '53300' });
          return;
        }
        others.push(other);
      }
    };
    await takeConnections();
    // Closes the sessions of the store until others have taken their place.
    await expect
      .poll(async () => {
        await others[0]?.query(
          "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name like 'kith%'",
        );
        await takeConnections();
        return requestAll();
      })
      .toBe(0);
    expect(store.version.current()).toBeNull();
    for (const other of others.splice(0)) await other.end();
    await recovers();
  });
});
