import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/store/open-store.ts';
import { createDatabaseFile } from '../../../src/store/sqlite/database-file.ts';
import { createTransactionQueue, inTransaction } from '../../../src/store/sqlite/transaction.ts';
import { createInlineWriter, openWriterDatabase } from '../../../src/store/sqlite/writer.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';
import { numberOf } from '../../support/load.ts';
import { badge } from '../transaction-script.ts';

describe('inTransaction of SQLite', () => {
  it('rejects with a StoreUnavailableError while another connection holds the write lock, and works afterwards', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-lock-'));
    const path = join(folder, 'kith.db');
    const other = new Database(path);
    // Without a busy timeout, so that the test does not wait.
    const db = new Database(path, { timeout: 0 });
    onTestFinished(async () => {
      db.close();
      other.close();
      await rm(folder, { recursive: true });
    });
    const { executor } = createInlineWriter(db);
    const file = createDatabaseFile(path, { fail: () => undefined, answer: () => undefined, current: () => null });
    onTestFinished(() => file.close());
    const create = () =>
      file.guard(() => inTransaction(executor, () => executor.run('create table rows (value text)', [])));

    other.exec('begin immediate');
    const rejected = create();
    await expect(rejected).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(rejected).rejects.toThrow(`${path}: database is locked: another process has been writing for 60 s`);
    other.exec('rollback');
    await create();
    expect(other.prepare('select * from rows').all()).toEqual([]);
  });
});

describe('a transaction on SQLite that cannot write', () => {
  const limits = [
    { name: 'the disk is full', limit: 'max_page_count = 1', lift: 'max_page_count = 1000000', cause: 'disk is full' },
    { name: 'the file is read-only', limit: 'query_only = on', lift: 'query_only = off', cause: 'readonly database' },
  ];

  it.each(limits)('names the file if $name, writes nothing, and works afterwards', async ({ limit, lift, cause }) => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-full-'));
    const path = join(folder, 'kith.db');
    const store = await openStore({ engine: 'sqlite', path }, { onError: () => undefined });
    const db = openWriterDatabase(path);
    const errors: unknown[] = [];
    const file = createDatabaseFile(path, {
      fail: (error) => errors.push(error),
      answer: () => undefined,
      current: () => null,
    });
    onTestFinished(async () => {
      file.close();
      db.close();
      await store.close();
      await rm(folder, { recursive: true });
    });
    const { transaction } = createTransactionQueue({ writer: createInlineWriter(db), file, onError: () => undefined });
    const rows = Array.from({ length: 5_000 }, (_, i) => badge(String(i), 'x'.repeat(100)));
    const write = () =>
      transaction(async (tx) => {
        await tx.insert('badges', rows);
      });
    db.pragma(limit);
    const rejected = write();
    await expect(rejected).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(rejected).rejects.toThrow(new RegExp(`^${path}: .*${cause}`));
    expect(errors).toHaveLength(1);
    expect(numberOf(store.version.current())).toBe(0);
    expect(db.prepare('select count(*) as count from badges').get()).toEqual({ count: 0 });
    db.pragma(lift);
    await write();
    expect(numberOf(store.version.current())).toBe(1);
  });
});

describe('a SQLite database that is being closed', () => {
  it('finishes the transactions that were started before, and rejects later ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-close-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const store = await openStore({ engine: 'sqlite', path: join(folder, 'kith.db') }, { onError: () => undefined });
    const earlier = store.transaction((tx) => tx.insert('badges', [badge('1')]));
    const closed = store.close();
    await expect(store.transaction((tx) => tx.insert('badges', [badge('2')]))).rejects.toThrow(
      'the database is closed',
    );
    await Promise.all([earlier, closed]);
  });
});

describe('opening a SQLite database that cannot be opened', () => {
  const open = (path: string) => openStore({ engine: 'sqlite', path }, { onError: () => undefined });
  const makeFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-open-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    return folder;
  };

  it('is rejected with E_DATABASE_UNAVAILABLE if it is a folder, or if its folder cannot be created', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, 'file'), '');
    for (const path of [folder, join(folder, 'file', 'kith.db')]) {
      await expect(open(path)).rejects.toMatchObject({
        code: 'E_DATABASE_UNAVAILABLE',
        message: expect.stringContaining(path),
      });
    }
  });

  it('is rejected with E_DATABASE_CORRUPT if the file is no database', async () => {
    const path = join(await makeFolder(), 'kith.db');
    await writeFile(path, 'no database, but text that is longer than the header of a page '.repeat(100));
    await expect(open(path)).rejects.toMatchObject({
      code: 'E_DATABASE_CORRUPT',
      message: `${path}: file is not a database`,
    });
  });
});
