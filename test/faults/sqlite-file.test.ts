import { copyFile, mkdtemp, open as openFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { canMount, mountTmpfs } from '../../drills/parts/sqlite/tmpfs.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { expectProblem } from '../http/support.ts';
import { ANNS, annsList, BOB, bobsList, follow, logsOf } from '../model/small-history.ts';
import { withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadRanks, touchGraph } from '../support/load.ts';
import { fetchAnswer, type Service, startService } from '../support/service.ts';

const FOLLOWERS = `/users/${BOB}/followers`;
const NOTIFICATIONS = `/users/${BOB}/notifications?interval=all`;
const PAGE = 4096;

describe.each(engines.filter(({ name }) => name === 'sqlite'))('a faulty file on $name', (engine) => {
  let database: TestDatabase;
  let path: string;
  let store: Store;
  let service: Service;
  const log: string[] = [];
  const errors: Error[] = [];
  const serve = async () => {
    store = await openStore({ engine: 'sqlite', path }, { onError: (error) => errors.push(error) });
    service = await startService(store, { log: (line) => log.push(line) });
  };
  const statusOf = async (lookup: string) => (await service.get(lookup)).status;
  const ready = () => fetchAnswer(`${service.url}/ready`);
  beforeEach(async () => {
    database = await engine.createOwn();
    path = database.url.slice('sqlite:'.length);
    await withStore(database, async (loaded) => {
      await loadLogs(loaded, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
      await loadRanks(loaded, 1);
    });
  });
  afterEach(async () => {
    await service.close();
    await store.close();
    await database.drop();
    log.length = 0;
    errors.length = 0;
  });

  const corruptPageOf = async (table: string) => {
    const [found] = (await queryDatabase(database, `select rootpage from sqlite_schema where name = '${table}'`)) as [
      { rootpage: number },
    ];
    const file = await openFile(path, 'r+');
    await file.write(Buffer.alloc(PAGE, 0x5a), 0, PAGE, (found.rootpage - 1) * PAGE);
    await file.close();
  };
  const databaseFaultOf = async (page: '/ready' | '/status') =>
    (await fetchAnswer(`${service.url}${page}`)).json.databaseFault;
  const malformed = () => `${path}: database disk image is malformed; restore a backup, or index into a new database`;
  /** Without the folder. */
  const shown = (message: string) => message.replace(path, basename(path));
  const full = () => `${path}: database or disk is full; free some space on its disk`;

  it('makes requests that read a corrupt page fail with 500, and no other, and is named once in the log', async () => {
    await corruptPageOf('notifications');
    await serve();
    const statuses = await Promise.all([FOLLOWERS, NOTIFICATIONS, '/stats', '/lists/0/details'].map(statusOf));
    expect(statuses).toEqual([200, 500, 200, 200]);
    expect(await statusOf(NOTIFICATIONS)).toBe(500);
    expect(errors.map(({ message }) => message)).toEqual([malformed()]);
    expect(log.filter((line) => line.includes('internal error'))).toEqual([]);
  });

  it('is named in /status and /ready after a corrupt page was read', async () => {
    await corruptPageOf('notifications');
    await serve();
    expect(await databaseFaultOf('/ready')).toBeNull();
    await statusOf(NOTIFICATIONS);
    const fault = { code: 'E_DATABASE_CORRUPT', message: shown(malformed()) };
    expect((await ready()).json).toEqual({ status: 'ready', databaseFault: fault });
    expect(await databaseFaultOf('/status')).toEqual(fault);
  });

  it('is named in /status and /ready if they cannot read it themselves', async () => {
    await corruptPageOf('chain_faults');
    await serve();
    for (const path of ['/status', '/ready'])
      expect((await fetchAnswer(`${service.url}${path}`)).json).toMatchObject({
        status: 503,
        detail: shown(malformed()),
      });
    expect(await statusOf(FOLLOWERS)).toBe(200);
  });

  it.each(canMount() ? ['tmpfs'] : [])('is named in /status and /ready while its %s is full', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-full-'));
    const disk = mountTmpfs(folder, '16m');
    onTestFinished(async () => {
      disk.unmount();
      await rm(folder, { recursive: true });
    });
    await copyFile(path, join(folder, 'kith.db'));
    path = join(folder, 'kith.db');
    await serve();
    expect((await ready()).json).toEqual({ status: 'ready', databaseFault: null });
    await expect(writeFile(join(folder, 'other'), Buffer.alloc(2 ** 24))).rejects.toThrow('ENOSPC');
    const fault = { code: 'E_DATABASE_UNAVAILABLE', message: shown(full()) };
    expect((await ready()).json).toEqual({ status: 'ready', databaseFault: fault });
    expect(await databaseFaultOf('/status')).toEqual(fault);
    expect(await statusOf(FOLLOWERS)).toBe(200);
    await rm(join(folder, 'other'));
    expect(await databaseFaultOf('/status')).toBeNull();
  });

  it('is named in /ready beside what is missing', async () => {
    await corruptPageOf('notifications');
    await serve();
    await store.transaction((tx) => tx.upsert('state', [{ key: 'is_loaded', value: 0 }]));
    await statusOf(NOTIFICATIONS);
    const { status, json } = await ready();
    expect(status).toBe(503);
    expect(json.detail).toMatch(/^the chains are being read for the first time/);
    expect(json.detail).toContain(`; ${shown(malformed())}`);
  });

  it('makes requests fail with 500 after the file was truncated, and does not end the process', async () => {
    await serve();
    await truncate(path, 2 * PAGE);
    expect(await Promise.all([FOLLOWERS, NOTIFICATIONS].map(statusOf))).toEqual([500, 500]);
    expect(errors.map(({ message }) => message)).toEqual([malformed()]);
    expect((await fetchAnswer(`${service.url}/health`)).status).toBe(200);
  });

  it.each([
    { name: 'the file is deleted', file: '', replacement: false, message: 'was deleted' },
    { name: 'the file is replaced', file: '', replacement: true, message: 'was replaced' },
    { name: 'the WAL is deleted', file: '-wal', replacement: false, message: 'was deleted' },
    { name: 'the WAL is replaced', file: '-wal', replacement: true, message: 'was replaced' },
  ])('is noticed if $name: requests are 503 until it is moved back', async ({ file, replacement, message }) => {
    await serve();
    const changed = `${path}${file}`;
    const before = await service.get(FOLLOWERS);
    expect(await statusOf(FOLLOWERS)).toBe(200);
    await rename(changed, `${changed}.aside`);
    if (replacement) await writeFile(changed, '');
    await expect.poll(async () => (await ready()).status).toBe(503);
    expectProblem(await service.get(FOLLOWERS), { status: 503, code: 'unavailable' });
    await expect(store.transaction(touchGraph)).rejects.toThrow(`${changed} ${message}`);
    expect(errors.map((error) => error.message)).toEqual([expect.stringContaining(`${changed} ${message}`)]);
    await rm(changed, { force: true });
    await rename(`${changed}.aside`, changed);
    await expect.poll(async () => (await ready()).status).toBe(200);
    expect(await service.get(FOLLOWERS)).toMatchObject({ status: 200, text: before.text });
  });

  it('answers lookups and is ready while another connection holds the exclusive lock', async () => {
    await serve();
    const other = new Database(path);
    other.exec('begin exclusive');
    expect(await Promise.all([FOLLOWERS, NOTIFICATIONS, '/stats'].map(statusOf))).toEqual([200, 200, 200]);
    expect((await ready()).status).toBe(200);
    other.close();
    expect(errors).toEqual([]);
  });
});
