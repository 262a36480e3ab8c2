import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { annsList, logsOf } from '../model/small-history.ts';
import { allRows, useOwnDatabase, withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { newPath } from '../support/new-path.ts';
import { importInput, LOGS, linesOf } from './import-files.ts';
import { runKith } from './run-here.ts';

describe.each(engines.filter(({ name }) => name === 'sqlite'))('kith backup on $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('copies all rows of a database that is open', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const store = await own.open();
    const copy = await newPath('copy.db');
    expect(await backup(own.database, copy)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/bytes written\n$/),
    });
    expect(await withStore(fileAt(copy), allRows)).toEqual(await allRows(store));
    expect(await queryDatabase({ url: `sqlite:${copy}` }, 'pragma integrity_check')).toEqual([
      { integrity_check: 'ok' },
    ]);
  });

  it('copies the last commit, and nothing of a transaction that is in progress', async () => {
    const store = await own.open();
    await loadLogs(store, logsOf(annsList));
    await loadRanks(store, 1);
    const before = await allRows(store);
    const copy = await newPath('copy.db');
    await store.transaction(async (tx) => {
      await tx.count({ logs: 100 });
      expect((await backup(own.database, copy)).code).toBe(0);
    });
    expect(await withStore(fileAt(copy), allRows)).toEqual(before);
  });

  it('never replaces a file', async () => {
    await withStore(own.database, async () => undefined);
    const copy = await newPath('copy.db');
    await writeFile(copy, 'kept');
    expect(await backup(own.database, copy)).toMatchObject({ code: 1, stderr: expect.stringContaining('E_OUTPUT') });
    expect(await readFile(copy, 'utf8')).toBe('kept');
    const nowhere = await backup(own.database, `${copy}.folder/copy.db`);
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('E_OUTPUT') });
  });

  it('fails with E_NO_DATABASE where there is no database, and creates none', async () => {
    const url = `sqlite:${await newPath('kith.db')}`;
    const { code, stderr } = await backup({ url }, await newPath('copy.db'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('E_NO_DATABASE') });
    expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
  });
});

describe('kith backup of a PostgreSQL database', () => {
  it('names pg_dump, before it connects', async () => {
    const { code, stderr } = await backup({ url: 'postgres://127.0.0.1:1/kith' }, await newPath('copy.db'));
    expect(code).toBe(2);
    expect(stderr).toContain('use pg_dump for PostgreSQL');
  });
});

function backup({ url }: Pick<TestDatabase, 'url'>, file: string) {
  return runKith(['backup', file], { env: { DATABASE_URL: url } });
}

function fileAt(path: string): Pick<TestDatabase, 'open'> {
  const onError = (error: Error) => {
    throw error;
  };
  return { open: () => openStore({ engine: 'sqlite', path }, { onError }) };
}
