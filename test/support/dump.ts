import { COUNTED } from '../../src/graph/counts.ts';
import { namedCell, selectNamedLogs } from '../../src/rows/stored-log.ts';
import type { ReadBuilder } from '../../src/store/query-builder.ts';
import { GRAPH_COUNTS } from '../../src/store/state-keys.ts';
import type { Store } from '../../src/store/store.ts';

/** What the rows of each table mean: ids depend on the order of arrival, so the keys that they stand for are selected. */
const TABLES = {
  blocks: (db) => db.selectFrom('blocks').selectAll(),
  chains: (db) => db.selectFrom('chains').selectAll(),
  ranks: (db) => db.selectFrom('ranks').selectAll(),
  lists: (db) =>
    db
      .selectFrom('lists')
      .leftJoin('accounts as owners', 'owners.id', 'lists.owner')
      .leftJoin('accounts', 'accounts.id', 'lists.account')
      .leftJoin('slots', 'slots.id', 'lists.slot')
      .select(['token_id', 'owners.address as owner', 'slots.key as slot', 'accounts.address as account'])
      .where((eb) => eb.or([eb('lists.owner', 'is not', null), eb('lists.slot', 'is not', null)])),
  slots: (db) =>
    db
      .selectFrom('slots')
      .leftJoin('accounts as users', 'users.id', 'slots.user')
      .leftJoin('accounts as managers', 'managers.id', 'slots.manager')
      .select(['key', 'users.address as user', 'managers.address as manager'])
      .where((eb) => eb.or([eb('slots.user', 'is not', null), eb('slots.manager', 'is not', null)])),
  // An account that only has an id is not part of the graph.
  accounts: (db) =>
    db
      .selectFrom('accounts')
      .leftJoin('lists', 'lists.id', 'accounts.primary_list')
      .leftJoin('slots', 'slots.id', 'accounts.active_slot')
      .select(['address', 'token_id as primary_list', 'active_list', 'slots.key as active_slot', 'listed', 'minted'])
      .select([...COUNTED])
      .where((eb) =>
        eb.or([
          eb('primary_list', 'is not', null),
          ...[...COUNTED, 'listed' as const, 'minted' as const].map((count) => eb(count, '<>', 0)),
        ]),
      ),
  records: (db) =>
    db
      .selectFrom('records')
      .innerJoin('slots', 'slots.id', 'records.slot')
      .innerJoin('accounts', 'accounts.id', 'records.account')
      .select(['slots.key as slot', 'time', 'address_key', 'address', 'relation', 'tagged']),
  record_tags: (db) =>
    db
      .selectFrom('record_tags')
      .innerJoin('slots', 'slots.id', 'record_tags.slot')
      .innerJoin('accounts', 'accounts.id', 'record_tags.account')
      .innerJoin('tags', 'tags.id', 'record_tags.tag')
      .select(['slots.key as slot', 'address', 'tags.tag']),
  edges: (db) =>
    db
      .selectFrom('edges')
      .innerJoin('accounts as targets', 'targets.id', 'edges.target')
      .innerJoin('accounts as sources', 'sources.id', 'edges.source')
      .select(['targets.address as target', 'sources.address as source'])
      .select(['time', 'address_key', 'relation', 'back', 'popularity', 'tagged']),
  edge_tags: (db) =>
    db
      .selectFrom('edge_tags')
      .innerJoin('accounts as targets', 'targets.id', 'edge_tags.target')
      .innerJoin('accounts as sources', 'sources.id', 'edge_tags.source')
      .innerJoin('tags', 'tags.id', 'edge_tags.tag')
      .select(['targets.address as target', 'sources.address as source', 'tags.tag'])
      .select(['time', 'address_key', 'relation', 'back', 'popularity']),
  notifications: (db) =>
    db
      .selectFrom('notifications')
      .innerJoin('accounts as targets', 'targets.id', 'notifications.target')
      .innerJoin('accounts as sources', 'sources.id', 'notifications.source')
      .leftJoin('tags', 'tags.id', 'notifications.tag')
      .select(['targets.address as target', 'sources.address as source', 'tags.tag'])
      .select(['time', 'chain_id', 'block_number', 'log_index', 'opcode']),
  leaderboard: (db) =>
    db
      .selectFrom('leaderboard')
      .innerJoin('accounts', 'accounts.id', 'leaderboard.account')
      .select(['address', 'address_key'])
      .select(COUNTED.map((count) => `leaderboard.${count}` as const)),
  rare_counts: (db) =>
    db
      .selectFrom('rare_counts')
      .innerJoin('accounts', 'accounts.id', 'rare_counts.account')
      .select(['measure', 'address', 'address_key', 'count']),
  state: (db) =>
    db
      .selectFrom('state')
      .selectAll()
      .where('key', 'in', [...GRAPH_COUNTS]),
} as const satisfies Record<string, (db: ReadBuilder) => unknown>;

/** The derived rows of all tables, sorted: equal logs give equal dumps, however they were loaded. */
export async function dump(store: Store): Promise<Record<string, unknown[]>> {
  const rows = await store.transaction(async (tx) => {
    const tables: [string, unknown[]][] = [];
    for (const [name, select] of Object.entries(TABLES)) {
      tables.push([name, await tx.query(select as Parameters<typeof tx.query>[0])]);
    }
    const logs = await tx.query((db) => selectNamedLogs(db).select('logs.chain_id'));
    tables.push([
      'logs',
      logs.map(({ chain_id, block_number, log_index, block_time, ...row }) => ({
        ...{ chain_id, block_number, log_index, block_time },
        ...namedCell({ ...row, block_number, log_index, block_time }),
      })),
    ]);
    return tables;
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
