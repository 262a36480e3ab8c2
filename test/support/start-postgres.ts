import type { TestProject } from 'vitest/node';
import { openStore } from '../../src/store/open-store.ts';
import { queryFromOutside } from '../store/from-outside.ts';
import { databaseAt, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which tests may create databases. */
    postgresUrl: string;
    /** A database there with empty tables, to make others of. */
    postgresTemplate: string;
  }
}

/** Starts a PostgreSQL server for the whole run, unless TEST_DATABASE_URL names one. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const { url, stop } = given === undefined ? await startPostgresServer() : { url: given, stop: async () => undefined };
  const template = `kith_template_${process.pid}`;
  try {
    await makeTables(url, template);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', template);
  return async () => {
    await queryFromOutside({ url }, `drop database ${template}`);
    await stop();
  };
}

async function makeTables(server: string, name: string): Promise<void> {
  await queryFromOutside({ url: server }, `create database ${name}`);
  const onError = (error: Error) => {
    throw error;
  };
  const store = await openStore({ engine: 'postgres', url: databaseAt(server, name), poolSize: 1 }, { onError });
  await store.close();
}
