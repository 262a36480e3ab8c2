import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { databaseFolder } from './database-folder.ts';
import { isDeep } from './effort.ts';
import { createPostgresDatabase, type PostgresDatabase, takePostgresDatabase } from './postgres-databases.ts';

/** A database for one test. */
export interface TestDatabase {
  /** As DATABASE_URL would name it. */
  readonly url: string;
  open(): Promise<Store>;
  drop(): Promise<void>;
}

export interface Engine {
  readonly name: Store['engine'];
  /** A migrated, empty database. On PostgreSQL it is reset and used again by later tests. */
  create(): Promise<TestDatabase>;
  /** The same, but dropped after use: for tests that change the schema, kill processes or cut connections. */
  createOwn(): Promise<TestDatabase>;
  /** A database without tables, dropped after use. */
  createBare(): Promise<TestDatabase>;
}

/** Dropping a database closes its connections (57P01, admin_shutdown). Any other error is a failure. */
function fail(error: Error): void {
  if (((error.cause ?? error) as { code?: string }).code !== '57P01') throw error;
}

async function createFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(await databaseFolder(), 'kith-test-'));
  const path = join(folder, 'kith.db');
  return {
    url: `sqlite:${path}`,
    open: () => openStore({ engine: 'sqlite', path }, { onError: fail }),
    drop: () => rm(folder, { recursive: true }),
  };
}

function onPostgres({ url, drop }: PostgresDatabase): TestDatabase {
  return { url, drop, open: () => openStore({ engine: 'postgres', url, poolSize: 4 }, { onError: fail }) };
}

export const sqlite: Engine = { name: 'sqlite', create: createFile, createOwn: createFile, createBare: createFile };

const postgres: Engine = {
  name: 'postgres',
  create: async () => onPostgres(await takePostgresDatabase()),
  createOwn: async () => onPostgres(await createPostgresDatabase({ isMigrated: true })),
  createBare: async () => onPostgres(await createPostgresDatabase({ isMigrated: false })),
};

/** For tests of what the engines do differently: SQL, transactions, locks, versions, durability. */
export const engines: readonly Engine[] = [sqlite, postgres];

/** For tests of logic above the store, which does not depend on the engine. The deep run takes both all the same. */
export const anyEngine: readonly Engine[] = isDeep ? engines : [sqlite];
