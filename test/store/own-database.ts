import { afterEach, beforeEach } from 'vitest';
import { TABLE_NAMES } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';

import { dump } from '../support/dump.ts';
import type { Engine, TestDatabase } from '../support/engines.ts';

export type Rows = Record<string, unknown[]>;

/** A database for each test, with empty tables. */
export interface OwnDatabase {
  readonly database: TestDatabase;
  /** Opens a store, which is closed when the test ends. */
  open(): Promise<Store>;
  /** Creates another database, which is dropped when the test ends. */
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
    for (const database of databases.splice(0)) await database.drop();
  });
  return {
    get database() {
      const [database] = databases;
      if (database === undefined) throw new Error('the database exists only while a test runs');
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

/** Opens a store for the duration of `work`. */
export async function withStore<T>(
  database: Pick<TestDatabase, 'open'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await database.open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Every row of every table: those of `dump`, and those of the tables that are not computed from logs. Without versions, which are random. */
export async function allRows(store: Store): Promise<Rows> {
  const rows: Rows = await dump(store);
  for (const table of TABLE_NAMES) {
    if (table in rows && table !== 'state') continue;
    const found = await store.transaction((tx) => tx.query((db) => db.selectFrom(table).selectAll()));
    const known = found
      .filter((row) => !('key' in row) || !/^version_/.test(String(row.key)))
      .map((row) => (table === 'search_changes' ? { ...row, version: 0 } : row));
    rows[table] = known.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
  }
  return rows;
}
