import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type DatabaseLocation, openStore } from '../../src/store/open-store.ts';
import { queryDatabase } from '../store/query-database.ts';
import { databaseFolder } from './database-folder.ts';
import { databaseAt, NOT_DURABLE, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which tests may create databases. */
    postgresUrl: string;
    /** The name of a migrated, empty database to copy. Tests use it as the prefix of the names of their databases. */
    postgresTemplate: string;
    /** SQL that returns a database with these tables to the state of the template. */
    postgresReset: string;
    /** Where tests create database files. */
    sqliteFolder: string;
    /** A migrated, empty database file to copy. */
    sqliteTemplate: string;
  }
}

/** Starts one PostgreSQL server for the whole run, unless TEST_DATABASE_URL names one, and creates empty databases to copy. */
export default async function startDatabases({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const root = vitest.getRootProject();
  // Another part of the suite has started it.
  if (root.getProvidedContext().postgresUrl !== undefined) return undefined;
  const given = process.env.TEST_DATABASE_URL;
  const { url, stop } = given === undefined ? await startServer() : { url: given, stop: async () => undefined };
  const template = `kith_test_${process.pid}`;
  const sqliteFolder = await mkdtemp(join(await databaseFolder(), 'kith-tests-'));
  const sqliteTemplate = join(sqliteFolder, 'template.db');
  try {
    await migrate({ engine: 'sqlite', path: sqliteTemplate });
    await queryDatabase({ url }, `create database ${template}`);
    const reset = await migrateTemplate(databaseAt(url, template));
    root.provide('postgresUrl', url);
    root.provide('postgresTemplate', template);
    root.provide('postgresReset', reset);
    root.provide('sqliteFolder', sqliteFolder);
    root.provide('sqliteTemplate', sqliteTemplate);
  } catch (error) {
    await stop();
    throw error;
  }
  return async () => {
    await rm(sqliteFolder, { recursive: true });
    await dropDatabases(url, template);
    await stop();
  };
}

const startServer = async () => startPostgresServer({ folder: await databaseFolder(), settings: NOT_DURABLE });

async function migrate(location: DatabaseLocation): Promise<void> {
  const onError = (error: Error) => {
    throw error;
  };
  const store = await openStore(location, { onError });
  await store.close();
}

/** Creates the tables, and returns the SQL that resets a copy of them. */
async function migrateTemplate(url: string): Promise<string> {
  await migrate({ engine: 'postgres', url, poolSize: 1 });
  const tables = (await queryDatabase(
    { url },
    `select quote_ident(tablename) as name from pg_tables
     where schemaname = 'public' and tablename not like 'kysely%' order by tablename`,
  )) as { name: string }[];
  const statements = [`truncate ${tables.map(({ name }) => name).join(', ')} restart identity`];
  for (const { name } of tables) {
    const [found] = (await queryDatabase(
      { url },
      `select quote_literal(json_agg(t)::text) as rows from ${name} t`,
    )) as { rows: string | null }[];
    if (found === undefined || found.rows === null) continue;
    statements.push(`insert into ${name} select * from json_populate_recordset(null::${name}, ${found.rows})`);
  }
  return statements.join(';\n');
}

/** Drops the template and the pooled databases that the workers have left. */
async function dropDatabases(url: string, template: string): Promise<void> {
  const text = `select datname from pg_database where starts_with(datname, '${template}')`;
  for (const { datname } of (await queryDatabase({ url }, text)) as { datname: string }[]) {
    await queryDatabase({ url }, `drop database ${datname} with (force)`);
  }
}
