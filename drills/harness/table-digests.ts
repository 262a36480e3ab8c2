import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { columnsOf, ENTITY_KEYS, type TableName } from '../../src/store/schema.ts';
import { GRAPH_COUNTS } from '../../src/store/versions.ts';
import { selectNamedRows, TABLES_OF_LOGS } from '../../test/support/named-rows.ts';

/** Rows and a digest of each table that is a function of logs, profiles and badges. */
export type Digests = Readonly<Record<string, string>>;

const selectSorted = (table: TableName): [string, string] => {
  const columns = columnsOf(table).slice(table in ENTITY_KEYS ? 1 : 0);
  return [table, `${selectNamedRows(table)} order by ${columns.map((_, index) => index + 1)}`];
};

const SELECTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...TABLES_OF_LOGS, 'profiles' as const, 'badges' as const].map(selectSorted)),
  cursors: 'select chain_id, number, hash from cursors order by chain_id',
  counts: `select key, value from state where key in (${[...Object.keys(GRAPH_COUNTS), 'unfolded_logs'].map((key) => `'${key}'`).join(', ')})
    and value <> 0 order by key`,
};

export function digestTables(path: string): Digests {
  const db = new Database(path);
  try {
    const entries = Object.entries(SELECTS).map(([table, sql]) => {
      const hash = createHash('sha256');
      let rows = 0;
      for (const row of db.prepare(sql).raw().iterate()) {
        hash.update(JSON.stringify(row));
        rows += 1;
      }
      return [table, `${rows} rows ${hash.digest('hex').slice(0, 16)}`];
    });
    return Object.fromEntries(entries);
  } finally {
    db.close();
  }
}

/** The tables that differ, with both values. */
export function differences(found: Digests, expected: Digests): string[] {
  return Object.keys(expected)
    .filter((table) => found[table] !== expected[table])
    .map((table) => `${table}: ${found[table]} instead of ${expected[table]}`);
}

export function readState(path: string): Readonly<Record<string, number>> {
  const db = new Database(path, { readonly: true });
  try {
    // Safe: these are the columns of the statement.
    const rows = db.prepare('select key, value from state').all() as { key: string; value: number }[];
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  } finally {
    db.close();
  }
}
