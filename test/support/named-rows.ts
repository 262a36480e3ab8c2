import {
  type ColumnSpec,
  ENTITY_KEYS,
  type Entity,
  TABLE_NAMES,
  TABLES,
  type TableName,
} from '../../src/store/schema.ts';

/** Tables whose rows are no function of the logs alone. */
const OF_OTHER_ORIGIN: readonly TableName[] = [
  ...([
    'cursors',
    'recent_blocks',
    'indexed_contracts',
    'added_contracts',
    'chain_faults',
    'leases',
    'counters',
  ] as const),
  ...(['profiles', 'resolved_names', 'wanted_profiles', 'profile_attempts', 'badges', 'state'] as const),
  // What a ranking has left to do.
  ...(['changed_accounts', 'popularity_changes', 'search_changes'] as const),
];
const keyOf = (table: TableName): string | undefined => (ENTITY_KEYS as Partial<Record<TableName, string>>)[table];
/** A tag has no fact but its key, which other rows have. */
const hasFacts = (table: TableName) => keyOf(table) === undefined || Object.keys(TABLES[table].columns).length > 2;
/** The tables whose rows are a function of the logs. */
export const TABLES_OF_LOGS = TABLE_NAMES.filter((table) => !OF_OTHER_ORIGIN.includes(table) && hasFacts(table));

/**
 * A select of all rows of a table, on both engines, with the keys of accounts, lists, slots and tags in place of their
 * ids: these depend on the order of arrival. A row that only has an id and a key is no part of the graph.
 */
export function selectNamedRows(table: TableName): string {
  const columns = Object.entries<ColumnSpec>(TABLES[table].columns);
  const key = keyOf(table);
  const shown = columns.filter(([name]) => key === undefined || name !== 'id');
  const fields = shown.map(([name, { of }]) => `${of === undefined ? quoted(name) : keyBehind(name, of)} as "${name}"`);
  const facts = shown.filter(([name]) => name !== key).map(([name, spec]) => isFact(name, spec));
  const where = key === undefined ? '' : ` where ${facts.join(' or ')}`;
  return `select ${fields.join(', ')} from ${table} as shown${where}`;
}

const quoted = (column: string) => `shown."${column}"`;
const isFact = (column: string, { isNullable }: ColumnSpec) =>
  `${quoted(column)} ${isNullable ? 'is not null' : '<> 0'}`;

/** A number that is no id, like the code of a register, stays. */
function keyBehind(column: string, of: readonly Entity[]): string {
  const keys = of.map((entity) => `(select ${ENTITY_KEYS[entity]} from ${entity} where id = ${quoted(column)})`);
  return `coalesce(${[...keys, `cast(${quoted(column)} as text)`].join(', ')})`;
}
