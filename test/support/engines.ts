import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { queryFromOutside } from '../store/from-outside.ts';
import { databaseAt } from './postgres-server.ts';

/** A database of a test's own. */
export interface TestDatabase {
  /** As DATABASE_URL would name it. */
  readonly url: string;
  open(): Promise<Store>;
  drop(): Promise<void>;
}

export interface Engine {
  readonly name: Store['engine'];
  /** With nothing in its tables, if there are any: on PostgreSQL, making them for every test would take long. */
  create(): Promise<TestDatabase>;
  /** The same, but dropped after use: for tests that kill processes or cut connections. */
  createOwn(): Promise<TestDatabase>;
  /** Without tables. */
  createBare(): Promise<TestDatabase>;
}

/** A connection that is cut because its database is dropped is no surprise; anything else is. */
function fail(error: Error): void {
  if ((error as { code?: string }).code !== '57P01') throw error;
}

async function createFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-test-'));
  const path = join(folder, 'kith.db');
  return {
    url: `sqlite:${path}`,
    open: () => openStore({ engine: 'sqlite', path }, { onError: fail }),
    drop: () => rm(folder, { recursive: true }),
  };
}

async function createOnServer(options: string): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `kith_${randomUUID().replaceAll('-', '')}`;
  await queryFromOutside({ url: server }, `create database ${name} ${options}`);
  const url = databaseAt(server, name);
  return {
    url,
    open: () => openStore({ engine: 'postgres', url, poolSize: 4 }, { onError: fail }),
    async drop() {
      await queryFromOutside({ url: server }, `drop database ${name} with (force)`);
    },
  };
}

const sqlite: Engine = { name: 'sqlite', create: createFile, createOwn: createFile, createBare: createFile };

const postgres: Engine = {
  name: 'postgres',
  create: () => createOnServer(`template ${inject('postgresTemplate')}`),
  createOwn: () => createOnServer(`template ${inject('postgresTemplate')}`),
  createBare: () => createOnServer(''),
};

export const engines: readonly Engine[] = [sqlite, postgres];

/** For tests of logic above the store, which does not depend on the engine. */
export const anyEngine: readonly Engine[] = [sqlite];
