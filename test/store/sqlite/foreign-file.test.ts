import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open-store.ts';
import { newPath } from '../../support/new-path.ts';

describe('a SQLite file of another program', () => {
  it.each(['delete', 'wal'])('is refused before anything is written, with its journal mode %s', async (mode) => {
    const path = await newPath('notes.db');
    const db = new Database(path);
    db.pragma(`journal_mode = ${mode}`);
    db.exec('create table notes (text text)');
    db.close();
    const before = await readFile(path);
    for (const mustExist of [false, true]) {
      const opened = openStore({ engine: 'sqlite', path }, { onError: () => undefined, mustExist });
      await expect(opened).rejects.toMatchObject({ code: 'E_NO_DATABASE' });
    }
    expect(before.equals(await readFile(path))).toBe(true);
    expect(await readdir(dirname(path))).toEqual(['notes.db']);
  });

  it('may be empty', async () => {
    const path = await newPath('empty.db');
    new Database(path).close();
    const store = await openStore({ engine: 'sqlite', path }, { onError: () => undefined });
    await store.close();
  });
});
