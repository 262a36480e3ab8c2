import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { isDeep } from './effort.ts';
import {
  createPostgresDatabase,
  type PostgresDatabase,
  takePostgresDatabase,
  untilClosed,
} from './postgres-databases.ts';

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
  /** A copy of a database that `load` fills once for the tests of this worker, dropped after use. */
  createLoaded(load: Load): Promise<TestDatabase>;
}

type Load = (store: Store) => Promise<unknown>;

/** Dropping a database closes its connections (57P01, admin_shutdown). Any other error is a failure. */
function fail(error: Error): void {
  if (((error.cause ?? error) as { code?: string }).code !== '57P01') throw error;
}

interface TestFile extends TestDatabase {
  readonly path: string;
}

/** Creates a copy of the file `template`, or a folder for a file that does not exist yet. */
async function createFile(template?: string): Promise<TestFile> {
  const folder = await mkdtemp(join(inject('sqliteFolder'), 'kith-test-'));
  const path = join(folder, 'kith.db');
  if (template !== undefined) await copyFile(template, path);
  return {
    path,
    url: `sqlite:${path}`,
    open: () => openStore({ engine: 'sqlite', path }, { onError: fail }),
    drop: () => rm(folder, { recursive: true }),
  };
}

const createMigratedFile = () => createFile(inject('sqliteTemplate'));
const loadedFile = loadOnce(createMigratedFile);

function onPostgres({ name, url, drop }: PostgresDatabase) {
  return { name, url, drop, open: () => openStore({ engine: 'postgres', url, poolSize: 4 }, { onError: fail }) };
}

export const sqlite: Engine = {
  name: 'sqlite',
  create: createMigratedFile,
  createOwn: createMigratedFile,
  createBare: () => createFile(),
  createLoaded: async (load) => createFile((await loadedFile(load)).path),
};

const loadedDatabase = loadOnce(async () => onPostgres(await createPostgresDatabase()));

const postgres: Engine = {
  name: 'postgres',
  create: async () => onPostgres(await takePostgresDatabase()),
  createOwn: async () => onPostgres(await createPostgresDatabase()),
  createBare: async () => onPostgres(await createPostgresDatabase('template1')),
  createLoaded: async (load) => {
    const { name, url } = await loadedDatabase(load);
    // A database with connections cannot be copied.
    await untilClosed(url);
    return onPostgres(await createPostgresDatabase(name));
  },
};

/** Creates and loads a database once for each `load`. It is removed at the end of the run. */
function loadOnce<D extends TestDatabase>(create: () => Promise<D>): (load: Load) => Promise<D> {
  const loaded = new Map<Load, Promise<D>>();
  return async (load) => {
    const made = loaded.get(load) ?? createAndLoad(create, load);
    loaded.set(load, made);
    return made;
  };
}

async function createAndLoad<D extends TestDatabase>(create: () => Promise<D>, load: Load): Promise<D> {
  const database = await create();
  const store = await database.open();
  await load(store);
  await store.close();
  return database;
}

/** For tests of what the engines do differently: SQL, transactions, locks, versions, durability. */
export const engines: readonly Engine[] = [sqlite, postgres];

/** For tests of logic above the store, which does not depend on the engine. The deep run takes both all the same. */
export const anyEngine: readonly Engine[] = isDeep ? engines : [sqlite];
