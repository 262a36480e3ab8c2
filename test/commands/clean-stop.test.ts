import { copyFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { annsList, logsOf } from '../model/small-history.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { sqlite } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { linesOf, PROFILES } from './import-files.ts';
import { followKith, LISTENING, spawnKith, startKith } from './run-kith.ts';

describe('a clean stop on SQLite', () => {
  const own = useOwnDatabase(sqlite);

  it.each(['1', '2'])('leaves all data in the database file, with WORKERS=%s', async (workers) => {
    const { url } = own.database;
    await withStore(own.database, (store) => loadLogs(store, logsOf(annsList)));
    const env = { DATABASE_URL: url };
    const kith = await startKith('serve', { ...env, WORKERS: workers });
    // Another process writes, so that the serving processes only have read-only connections.
    const imported = await spawnKith(['import', 'profiles', '-'], { env, stdin: linesOf(PROFILES) });
    expect(imported.code, imported.stderr).toBe(0);
    expect((await kith.end()).code).toBe(0);

    const copy = `${url}-copy`;
    await copyFile(url.slice('sqlite:'.length), copy.slice('sqlite:'.length));
    const count = 'select count(*) as profiles from profiles';
    expect(await queryDatabase({ url: copy }, count)).toEqual(await queryDatabase({ url }, count));
  });
});

describe('kith serve whose output nobody reads any more', () => {
  const own = useOwnDatabase(sqlite);

  it('exits instead of reporting that without end', async () => {
    const { child, outcome, untilSaid } = followKith(['serve'], { DATABASE_URL: own.database.url, PORT: '0' });
    await untilSaid(LISTENING);
    child.stdout.destroy();
    child.stderr.destroy();
    // The shutdown is logged.
    child.kill('SIGTERM');
    expect((await outcome).code).toBe(1);
  });
});
