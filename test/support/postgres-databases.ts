import { randomUUID } from 'node:crypto';
import { expect, inject, vi } from 'vitest';
import { queryDatabase } from '../store/query-database.ts';
import { databaseAt } from './postgres-server.ts';

/** A database on the test server. */
export interface PostgresDatabase {
  readonly name: string;
  readonly url: string;
  /** Gives it up: it is dropped, or reset before another test of this worker uses it. */
  drop(): Promise<void>;
}

const OTHER_CONNECTIONS = `select pid from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

/** Creates a database that is dropped after use: a copy of the named one, by default of a migrated, empty database. */
export async function createPostgresDatabase(template = inject('postgresTemplate')): Promise<PostgresDatabase> {
  const name = await create(template);
  const url = databaseAt(inject('postgresUrl'), name);
  return {
    name,
    url,
    async drop() {
      await untilClosed(url);
      await drop(name);
    },
  };
}

/** Only a failed test leaves connections open for longer. */
const WAIT = { timeout: 5_000, interval: 20 };

/** Databases that tests of this worker no longer use, oldest first. */
const idle: string[] = [];
/** More than one, so that the connections to a database have closed by the time that it is used again. */
const MIN_IDLE = 3;

/** Takes an empty, migrated database from the pool of this worker: a reset is faster than a new database. */
export async function takePostgresDatabase(): Promise<PostgresDatabase> {
  const used = idle.length < MIN_IDLE ? undefined : idle.shift();
  const name = used === undefined ? await create(inject('postgresTemplate')) : await reset(used);
  let isTaken = true;
  return {
    name,
    url: databaseAt(inject('postgresUrl'), name),
    async drop() {
      if (isTaken) idle.push(name);
      isTaken = false;
    },
  };
}

async function create(template: string): Promise<string> {
  const name = `${inject('postgresTemplate')}_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name} template ${template}`);
  return name;
}

/** Empties the tables, or replaces the database if a test has changed them. */
async function reset(name: string): Promise<string> {
  const url = databaseAt(inject('postgresUrl'), name);
  await untilClosed(url);
  try {
    await queryDatabase({ url }, inject('postgresReset'));
    return name;
  } catch {
    await drop(name);
    return create(inject('postgresTemplate'));
  }
}

/** Waits for closed connections to be gone: `pool.end()` does not, and cutting one off is reported as an error. */
export async function untilClosed(url: string): Promise<void> {
  try {
    await vi.waitFor(async () => expect(await queryDatabase({ url }, OTHER_CONNECTIONS)).toEqual([]), WAIT);
  } catch {
    // Connections that a failed test has left open.
    await queryDatabase({ url }, `select pg_terminate_backend(pid, 5000) from (${OTHER_CONNECTIONS}) as others`);
  }
}

const drop = (name: string) => onServer(`drop database ${name} with (force)`);
const onServer = (text: string) => queryDatabase({ url: inject('postgresUrl') }, text);
