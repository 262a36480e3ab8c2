import { nameSubjects } from '../../src/rows/stored-log.ts';
import type { TableName } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';

/** Tables that are derived from logs and profiles alone. */
const COMPARED: readonly TableName[] = [
  'blocks',
  'chains',
  'lists',
  'slots',
  'accounts',
  'edges',
  'edge_tags',
  'notifications',
  'leaderboard',
  'ranks',
  'details',
];
const COUNTS = [
  'logs',
  'ignored_ops',
  'list_ops',
  'lists',
  'accounts',
  'listed_accounts',
  'minted_accounts',
  'follows',
  'ranked',
] as const;

/** The derived rows of all tables, sorted: equal logs give equal dumps, however they were loaded. */
export async function dump(store: Store): Promise<Record<string, unknown[]>> {
  const rows = await store.transaction(async (tx) => {
    const tables: [string, unknown[]][] = [];
    for (const table of COMPARED) {
      tables.push([table, await tx.query((db) => db.selectFrom(table).selectAll())]);
    }
    // Subject ids depend on the order of insertion.
    const logs = await tx.query((db) => db.selectFrom('logs').selectAll());
    tables.push(['logs', await nameSubjects(tx, logs)]);
    const records = await tx.query((db) =>
      db
        .selectFrom('records')
        .innerJoin('subjects', 'subjects.id', 'records.slot')
        .select(['subjects.key as slot', 'time', 'address', 'relation', 'tags']),
    );
    tables.push(['records', records]);
    const state = await tx.query((db) =>
      db
        .selectFrom('state')
        .selectAll()
        .where('key', 'in', [...COUNTS]),
    );
    return [...tables, ['state', state] as const];
  });
  return Object.fromEntries(rows.map(([table, values]) => [table, values.map(asText).sort()]));
}

function asText(row: unknown): string {
  const fields = Object.entries(row as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(fields, (_key, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  );
}

/** The number of rows per table, to check that a comparison is not of empty tables. */
export function sizes(tables: Record<string, unknown[]>): Record<string, number> {
  return Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.length]));
}
