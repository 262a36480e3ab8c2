import { sql } from 'kysely';
import type { Store } from '../../src/store/store.ts';
import { GRAPH_COUNTS, type StateKey } from '../../src/store/versions.ts';
import { selectNamedRows, TABLES_OF_LOGS } from './named-rows.ts';

/** The derived rows of all tables, sorted: equal logs give equal dumps, however they were loaded. */
export async function dump(store: Store): Promise<Record<string, unknown[]>> {
  const rows = await store.transaction(async (tx) => {
    const tables: [string, unknown[]][] = [];
    for (const table of TABLES_OF_LOGS) {
      const named = sql`(${sql.raw(selectNamedRows(table))})`.as('named');
      tables.push([table, await tx.query((db) => db.selectFrom(named).selectAll())]);
    }
    const counts = await tx.query((db) =>
      db
        .selectFrom('state')
        .selectAll()
        .where('key', 'in', Object.keys(GRAPH_COUNTS) as StateKey[]),
    );
    return [...tables, ['state', counts] as const];
  });
  return Object.fromEntries(rows.map(([table, values]) => [table, values.map(asText).sort()]));
}

function asText(row: unknown): string {
  // Safe: rows are objects.
  const fields = Object.entries(row as object).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ]);
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The number of rows per table, to check that a comparison is not of empty tables. */
export function sizes(tables: Record<string, unknown[]>): Record<string, number> {
  return Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.length]));
}
