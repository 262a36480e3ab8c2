import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { TableName } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { TABLES } from '../../src/store/tables.ts';
import { dump } from '../support/dump.ts';
import type { Engine, TestDatabase } from '../support/engines.ts';
import { queryFromOutside } from './from-outside.ts';

export type Rows = Record<string, unknown[]>;

/** An empty database for each test. */
export interface OwnDatabase {
  readonly database: TestDatabase;
  /** Closed when the test ends. */
  open(): Promise<Store>;
  /** Another one beside it, dropped when the test ends. */
  another(): Promise<TestDatabase>;
}

export function useOwnDatabase({ create }: Pick<Engine, 'create'>): OwnDatabase {
  const databases: TestDatabase[] = [];
  const stores: Store[] = [];
  const another = async () => {
    const database = await create();
    databases.push(database);
    return database;
  };
  beforeEach(async () => {
    await another();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const database of databases.splice(0)) await dropUnused(database);
  });
  return {
    get database() {
      const [database] = databases;
      if (database === undefined) throw new Error('the database is there only while a test runs');
      return database;
    },
    another,
    async open() {
      const store = await this.database.open();
      stores.push(store);
      return store;
    },
  };
}

/**
 * Drops a database when the connections that were closed are gone from it: a pool says that it has ended before they are,
 * and a connection that is cut off while it ends still reports an error.
 */
export async function dropUnused(database: TestDatabase): Promise<void> {
  if (database.url.startsWith('postgres:')) {
    const others = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    const gone = vi.waitFor(async () => expect(await queryFromOutside(database, others)).toEqual([]));
    // What a failed test has left running is cut off.
    await gone.catch(() => undefined);
  }
  await database.drop();
}

/** Opens the database for as long as it takes to look at it. */
export async function look<T>(database: Pick<TestDatabase, 'open'>, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await database.open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Every row of every table, as it is: what `dump` tells, and what it leaves out as not computed from logs. */
export async function allRows(store: Store): Promise<Rows> {
  const rows: Rows = await dump(store);
  for (const table of Object.keys(TABLES) as TableName[]) {
    if (table in rows && table !== 'state') continue;
    const found = await store.transaction((tx) => tx.query((db) => db.selectFrom(table).selectAll()));
    // The ids of subjects depend on the order of the logs.
    const fields = (row: object) => Object.keys(row).filter((field) => table !== 'subjects' || field !== 'id');
    rows[table] = found.map((row) => JSON.stringify(row, fields(row).sort())).sort();
  }
  return rows;
}
