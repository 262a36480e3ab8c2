import { pid, platform } from 'node:process';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findWriter } from '../../../src/store/sqlite/transaction.ts';
import { newPath } from '../../support/new-path.ts';

describe.runIf(platform === 'linux')('findWriter', () => {
  it('names the process that holds the write lock', async () => {
    const path = await newPath('kith.db');
    const db = new Database(path);
    onTestFinished(() => void db.close());
    db.pragma('journal_mode = wal');
    db.exec('create table rows (value text)');
    expect(findWriter(path)).toBe(null);
    db.exec('begin immediate');
    expect(findWriter(path)).toMatch(new RegExp(`^\\S.* \\(process ${pid}\\)$`));
    db.exec('rollback');
    expect(findWriter(path)).toBe(null);
  });

  it('names no process for a file that does not exist', async () => {
    expect(findWriter(await newPath('kith.db'))).toBe(null);
  });
});
