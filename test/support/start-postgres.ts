import type { TestProject } from 'vitest/node';
import { startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which tests may create databases. */
    postgresUrl: string;
  }
}

/** Starts a PostgreSQL server for the whole run, unless TEST_DATABASE_URL names one. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined) {
    project.provide('postgresUrl', given);
    return async () => undefined;
  }
  const server = await startPostgresServer();
  project.provide('postgresUrl', server.url);
  return server.stop;
}
