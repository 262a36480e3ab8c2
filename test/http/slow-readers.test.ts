import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { BOB, BOBS, bobsList, CAT, DAN, follow } from '../model/small-history.ts';
import { queryDatabase } from '../store/query-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type Answer, fetchAnswer, type Service, type ServiceOptions, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { LONG_PATH, loadLongList, requestUnread } from './long-list.ts';
import { NOW, write } from './support.ts';

/** Rows if a transaction of a reader is open, or pages of the WAL that a checkpoint could not move to the file. */
const HELD = {
  sqlite: 'pragma wal_checkpoint(truncate)',
  postgres: `select pid from pg_stat_activity where application_name = 'kith' and backend_xmin is not null
    and pid <> pg_backend_pid() and datname = current_database()`,
};
const FREE = { sqlite: [{ busy: 0, log: 0, checkpointed: 0 }], postgres: [] };

const PLAIN = { 'accept-encoding': 'identity' };

describe.each(engines)('a client that does not read its long response on $name', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let other: Store;
  let errors: Error[];
  /** Warnings and errors in the log. */
  let logged: object[];
  beforeEach(async () => {
    database = await engine.createLoaded(loadLongList);
    errors = [];
    logged = [];
    const { url } = database;
    const onError = (error: Error) => errors.push(error);
    store =
      engine.name === 'postgres'
        ? await openStore({ engine: 'postgres', url, poolSize: 4 }, { onError })
        : await openStore({ engine: 'sqlite', path: url.slice('sqlite:'.length) }, { onError });
    other = await database.open();
    await write(other, bobsList, store);
  });
  afterEach(async () => {
    await other.close();
    await store.close();
    await database.drop();
  });

  const serve = async (options: ServiceOptions = {}): Promise<Service> => {
    const log = (line: string) => {
      const entry = JSON.parse(line);
      if (entry.level > 30) logged.push(entry);
    };
    const service = await startService(store, { now: () => NOW * 1000, log, ...options });
    onTestFinished(() => service.close());
    return service;
  };
  const untilFree = () =>
    waitFor(async () => expect(await queryDatabase(database, HELD[engine.name])).toEqual(FREE[engine.name]));

  it('leaves the last commit to the long responses of others, which are cached only with it', async () => {
    const service = await serve();
    const path = '/lists/2/allFollowingAddresses';
    const unread = await requestUnread(service.url);
    expect((await service.get(path)).json).toEqual([]);
    for (const [record, expected] of [
      [CAT, [CAT]],
      [DAN, [CAT, DAN]],
    ] as const) {
      await write(other, [follow(BOBS, record)], store);
      const answers = [await service.get(path), await service.get(path)];
      expect(answers.map(({ headers, json }) => [headers.get('x-cache'), json])).toEqual([
        ['MISS', expected],
        ['HIT', expected],
      ]);
    }
    expect((await service.get(`/users/${BOB}/list-records?includeTags=false`)).json.records).toHaveLength(2);
    unread.response.destroy();
  });

  it('holds no transaction of the database, and gets all of the response later', async () => {
    const service = await serve();
    const whole = await fetchAnswer(service.url + LONG_PATH);
    const unread = await requestUnread(service.url);
    await write(other, [follow(BOBS, CAT)], store);
    await untilFree();
    expect(await unread.read()).toBe(whole.text);
    expect(errors).toEqual([]);
    expect(logged).toEqual([]);
  });

  it('gets a length that can be compared with what was received', async () => {
    const service = await serve();
    const { response, read } = await requestUnread(service.url);
    expect(Buffer.byteLength(await read())).toBe(Number(response.headers['content-length']));
  });

  it('leaves room for the long responses of others, and none for its own that exceed its share', async () => {
    // The share of a client is for one of them.
    const service = await serve({ spoolBytes: 4 * 12 * 2 ** 20, limits: { trustProxy: '127.0.0.1' } });
    const getAs = (client: string) =>
      fetchAnswer(service.url + LONG_PATH, { headers: { ...PLAIN, 'x-forwarded-for': client } });
    const unread = await requestUnread(service.url);
    expect((await fetchAnswer(`${service.url}/metrics`)).text).toMatch(/^kith_spool_bytes [1-9]\d{6}$/m);
    expect(await getAs('127.0.0.1')).toMatchObject({ status: 503, json: { code: 'overloaded' } });
    expect((await getAs('192.0.2.1')).status).toBe(200);
    unread.response.destroy();
    await waitFor(async () => expect((await getAs('127.0.0.1')).status).toBe(200));
  });

  it.each(['GET', 'HEAD'] as const)('is answered if there is no room at all: %s', async (method) => {
    const service = await serve({ spoolBytes: 2 ** 20 });
    const { status } = await fetchAnswer(service.url + LONG_PATH, { method, headers: PLAIN });
    expect(status).toBe(method === 'GET' ? 503 : 200);
    expect((await service.get('/lists/2/allFollowingAddresses')).status).toBe(200);
    await untilFree();
  });

  it('gets a 503 without a folder for temporary files, which the log names', async () => {
    vi.stubEnv('TMPDIR', '/nonexistent/folder');
    onTestFinished(() => void vi.unstubAllEnvs());
    const service = await serve();
    const answer: Answer = await fetchAnswer(service.url + LONG_PATH);
    expect(answer).toMatchObject({ status: 503, json: { code: 'unavailable' } });
    expect(answer.text).not.toContain('/nonexistent');
    expect(logged).toMatchObject([
      { level: 50, err: { code: 'E_TEMPORARY_SPACE', message: expect.stringContaining('/nonexistent/folder') } },
    ]);
    expect(errors).toEqual([]);
    await untilFree();
  });
});
