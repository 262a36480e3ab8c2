import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rebuildGraph } from '../../src/ingest/rebuild/rebuild-graph.ts';
import { dump, sizes } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { readAnswers } from '../support/read-answers.ts';
import { allRows, useOwnDatabase, withStore } from './own-database.ts';
import { queryDatabase } from './query-database.ts';
import { runProcesses } from './run-processes.ts';

/**
 * Databases that earlier commits made, each with a demo graph of 60 accounts and rows in all other tables. They are named
 * after their last migration.
 */
const EARLIER = readdirSync(new URL('earlier', import.meta.url)).flatMap(
  (file) => file.match(/^.*(?=\.db\.gz$)/) ?? [],
);
const OLDEST = ['001-schema'];

const INDEXES = {
  sqlite: "select name, sql as definition from sqlite_schema where type = 'index' and sql is not null order by name",
  postgres: "select indexname as name, indexdef as definition from pg_indexes where schemaname = 'public' order by 1",
};
const COPIED = ['profiles', 'badges', 'cursors', 'recent_blocks', 'wanted_profiles'];

describe.each(engines)('a database of an earlier commit on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createBare });
  const rowsOf = async (table: string) => {
    const [found] = await queryDatabase(own.database, `select count(*) as count from ${table}`);
    return Number((found as { count: unknown }).count);
  };

  it.each(EARLIER)('with %s opens with its rows, and a rebuild from its logs changes none of them', async (name) => {
    await restore(own.database, name);
    const before = await Promise.all(COPIED.map(rowsOf));
    const store = await own.open();
    const opened = await dump(store);
    expect(sizes(opened)).toMatchObject({ logs: 1_220, leaderboard: 60 });
    expect(await Promise.all(COPIED.map(rowsOf))).toEqual(before);
    await store.transaction((tx) => rebuildGraph(tx, 0, () => undefined));
    expect(await dump(store)).toEqual(opened);
    expect((await readAnswers(store)).length).toBeGreaterThan(60);
  });

  it('is left as it was when a migration fails, and is migrated once the cause is gone', async () => {
    await restore(own.database, '001-schema');
    await queryDatabase(own.database, 'create table profile_attempts (unrelated text)');
    await expect(own.open()).rejects.toThrow(/profile_attempts.*already exists/);
    const migrations = 'select name from kysely_migration order by name';
    expect(await queryDatabase(own.database, migrations)).toEqual([{ name: '001-schema' }]);
    expect(await queryDatabase(own.database, 'select expires_at from leases')).toHaveLength(1);
    await queryDatabase(own.database, 'drop table profile_attempts');
    expect((await dump(await own.open())).logs).not.toEqual([]);
  });

  // It takes all migrations.
  it.each(OLDEST)('with %s is migrated once by two processes that open it at once', async (name) => {
    const migrated = await own.another();
    await restore(migrated, name);
    const expected = await withStore(migrated, allRows);
    await restore(own.database, name);
    const opened = await runProcesses(own.database, 2, 'async () => undefined');
    const ok = expect.objectContaining({ code: 0, stderr: '' });
    expect(opened).toEqual([ok, ok]);
    expect(await allRows(await own.open())).toEqual(expected);
  });

  it.each(OLDEST)('with %s has the indexes of a new one', async (name) => {
    const created = await own.another();
    await (await created.open()).close();
    await restore(own.database, name);
    await own.open();
    const indexes = INDEXES[engine.name];
    expect(await queryDatabase(own.database, indexes)).toEqual(await queryDatabase(created, indexes));
  });
});

async function restore(database: TestDatabase, name: string): Promise<void> {
  const [, path] = /^sqlite:(.*)$/.exec(database.url) ?? [];
  const file = new URL(`earlier/${name}.${path === undefined ? 'sql' : 'db'}.gz`, import.meta.url);
  const content = gunzipSync(readFileSync(file));
  if (path === undefined) await queryDatabase(database, content.toString());
  else writeFileSync(path, content);
}
