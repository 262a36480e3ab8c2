import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { startKithHere } from '../commands/run-here.ts';
import { followKith } from '../commands/run-kith.ts';
import { annsList, logsOf } from '../model/small-history.ts';
import { queryDatabase } from '../store/query-database.ts';
import { databaseFolder } from '../support/database-folder.ts';
import { loadLogs } from '../support/load.ts';
import { databaseAt, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { fetchAnswer } from '../support/service.ts';

/** Nothing listens there, so that there is something to refresh but nothing to wait for. */
const SOURCE = { RPC_URL_1: 'http://127.0.0.1:1', INDEX_CHAINS: 'none' };
const INDEXING = '"msg":"indexing"';

describe('a PostgreSQL server that is no primary', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer({ folder: await databaseFolder() });
    const location = { engine: 'postgres', url: server.url, poolSize: 2 } as const;
    const store = await openStore(location, { onError: () => undefined });
    await loadLogs(store, logsOf(annsList));
    await store.close();
  });
  afterAll(() => server.stop());

  const query = (text: string) =>
    queryDatabase({ url: `${server.url}?options=-cdefault_transaction_read_only=off` }, text);
  const promote = () => query('select pg_promote()');
  const startIndexing = () => followKith(['index'], { DATABASE_URL: server.url, ...SOURCE });
  const setFence = async (value: 'on' | 'off') => {
    await query(`alter system set default_transaction_read_only = ${value}`);
    await query('select pg_reload_conf()');
  };

  /** The warnings and errors of a log about the database. A stack trace would be part of them. */
  const problemsIn = (log: string) =>
    log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ level, msg }) => level >= 40 && msg.startsWith('database'))
      .map(({ level, time, pid, hostname, msg, ...rest }) => ({ ...rest, msg: msg.replace(/:.*/s, '') }));
  const isReadOnly = { code: 'E_READ_ONLY_DATABASE' };

  describe('from the start, as a standby is', () => {
    beforeEach(() => server.becomeStandby());

    it('is read by kith serve without a cache, and with it once it is promoted', async () => {
      const kith = await startKithHere(['serve'], { DATABASE_URL: server.url });
      const request = () => fetchAnswer(`${kith.url}/api/v1/lists/0/details`);
      const first = await request();
      const second = await request();
      expect([first.status, second.status, second.headers.get('x-cache')]).toEqual([200, 200, 'MISS']);
      await promote();
      await expect.poll(async () => (await request()).headers.get('x-cache')).toBe('HIT');
      expect((await request()).text).toBe(first.text);
      expect(problemsIn(kith.stderr())).toEqual([{ ...isReadOnly, msg: 'database error' }]);
    });

    it('is waited for by kith index, which logs why', async () => {
      const kith = startIndexing();
      await kith.untilSaid(/database unavailable, retrying: the database is read-only/);
      await promote();
      await kith.untilSaid(new RegExp(INDEXING));
      expect(problemsIn(kith.stderr())).toEqual([
        { ...isReadOnly, msg: 'database error' },
        { ...isReadOnly, msg: 'database unavailable, retrying' },
      ]);
    });

    it('is waited for by kith serve if the tables have to be created, unless it is stopped', async () => {
      await promote();
      await query('create database empty');
      onTestFinished(async () => void (await query('drop database empty with (force)')));
      await server.becomeStandby();
      const env = { DATABASE_URL: databaseAt(server.url, 'empty'), PORT: '0', SHUTDOWN_DELAY_S: '0' };
      const [kith, stopped] = [followKith(['serve'], env), followKith(['serve'], env)];
      const saysSo = /"code":"E_READ_ONLY_DATABASE","msg":"database error: the database is read-only/;
      await Promise.all([kith.untilSaid(saysSo), stopped.untilSaid(saysSo)]);
      stopped.child.kill('SIGTERM');
      expect((await stopped.outcome).code).toBe(0);
      await promote();
      await kith.untilSaid(/Server listening/);
      expect(problemsIn(kith.stderr())).toEqual([{ ...isReadOnly, msg: 'database error' }]);
    });
  });

  describe('from a moment on', () => {
    const timesIndexing = (log: string) => log.split(INDEXING).length - 1;

    it('is waited for by kith index during a failover', async () => {
      const kith = startIndexing();
      await kith.untilSaid(new RegExp(INDEXING));
      await server.becomeStandby();
      await kith.untilSaid(/database unavailable, retrying: the database is read-only/);
      await promote();
      await expect.poll(() => timesIndexing(kith.stderr())).toBe(2);
      const [first] = problemsIn(kith.stderr());
      expect(first).toEqual({ code: 'E_DATABASE_RESTARTING', msg: 'database error' });
    });

    it('is waited for by kith index while it is fenced, though its connections last', async () => {
      const kith = startIndexing();
      await kith.untilSaid(new RegExp(INDEXING));
      await setFence('on');
      await kith.untilSaid(/database unavailable, retrying/);
      await setFence('off');
      await expect.poll(() => timesIndexing(kith.stderr())).toBe(2);
      expect(problemsIn(kith.stderr())).toEqual([
        { ...isReadOnly, msg: 'database error' },
        { ...isReadOnly, msg: 'database unavailable, retrying' },
      ]);
    });

    it('is read by kith serve without a cache while it is fenced, which is logged once', async () => {
      const kith = await startKithHere(['serve'], { DATABASE_URL: server.url });
      const request = () => fetchAnswer(`${kith.url}/api/v1/lists/0/details`);
      await expect.poll(async () => (await request()).headers.get('x-cache')).toBe('HIT');
      await setFence('on');
      await expect.poll(async () => (await request()).headers.get('x-cache')).toBe('MISS');
      expect((await request()).status).toBe(200);
      await setFence('off');
      await expect.poll(async () => (await request()).headers.get('x-cache')).toBe('HIT');
      expect(problemsIn(kith.stderr())).toEqual([{ ...isReadOnly, msg: 'database error' }]);
    });
  });
});
