import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteExecutor, toExecutor } from '../../../src/store/sqlite/executor.ts';
import { inTransaction } from '../../../src/store/sqlite/transaction.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';

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
    const executor = toExecutor(createSqliteExecutor(db));
    const create = () => inTransaction(executor, () => executor.run('create table rows (value text)', []));

    other.exec('begin immediate');
    const rejected = create();
    await expect(rejected).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(rejected).rejects.toThrow('database is locked: another process has been writing for 60 s');
    other.exec('rollback');
    await create();
    expect(other.prepare('select * from rows').all()).toEqual([]);
  });
});
