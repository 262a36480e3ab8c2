import type { TestProject } from 'vitest/node';
import { openStore } from '../../src/store/open-store.ts';
import { databaseAt, onServer } from './on-server.ts';
import { startPostgresServer } from './postgres-server.ts';

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
  await onServer(url, `create database ${template}`);
  const store = await openStore(
    { engine: 'postgres', url: databaseAt(url, template), poolSize: 1 },
    {
      onError(error) {
        throw error;
      },
    },
  );
  await store.close();
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', template);
  return async () => {
    await onServer(url, `drop database ${template}`);
    await stop();
  };
}
