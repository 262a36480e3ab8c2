import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { annsList, logsOf } from '../model/small-history.ts';
import { allRows, useOwnDatabase, withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { importInput, LOGS, linesOf, writeTemporary } from './import-files.ts';
import { runKith } from './run-here.ts';

describe.each(engines.filter(({ name }) => name === 'sqlite'))('kith backup on $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('copies all rows of a database that is open', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const store = await own.open();
    const copy = await newFile();
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
    const copy = await newFile();
    await store.transaction(async (tx) => {
      await tx.count({ logs: 100 });
      expect((await backup(own.database, copy)).code).toBe(0);
    });
    expect(await withStore(fileAt(copy), allRows)).toEqual(before);
  });

  it('never replaces a file, and leaves no partial file behind', async () => {
    await withStore(own.database, async () => undefined);
    const copy = await newFile();
    await writeFile(copy, 'kept');
    expect(await backup(own.database, copy)).toMatchObject({ code: 1, stderr: expect.stringContaining('E_OUTPUT') });
    expect(await readFile(copy, 'utf8')).toBe('kept');
    expect((await readdir(dirname(copy))).filter((name) => name.endsWith('.partial'))).toEqual([]);
    const nowhere = await backup(own.database, `${copy}.folder/copy.db`);
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('E_OUTPUT') });
  });

  it('fails with E_NO_DATABASE where there is no database, and creates none', async () => {
    const { code, stderr } = await backup(own.database, await newFile());
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('E_NO_DATABASE') });
    expect(existsSync(own.database.url.slice('sqlite:'.length))).toBe(false);
  });
});

describe('kith backup of a PostgreSQL database', () => {
  it('names pg_dump, before it connects', async () => {
    const { code, stderr } = await backup({ url: 'postgres://127.0.0.1:1/kith' }, await newFile());
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

/** The path of a file that does not exist, in a folder that is removed after the test. */
async function newFile(): Promise<string> {
  return `${await writeTemporary('other', '')}.db`;
}
