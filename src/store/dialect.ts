import { type AliasedRawBuilder, type Expression, type RawBuilder, sql } from 'kysely';
import { type Column, type ColumnKind, columnsOf, type Row, TABLES, type TableName } from './schema.ts';
import { postgresSearchIndex, type SearchIndex, sqliteSearchIndex } from './search-index.ts';

/**
 * Every difference between the engines' SQL. A bulk statement takes one row's values in SQLite, where a call costs
 * a microsecond and is repeated (inserts of many rows are joined), and one array per column in PostgreSQL, where a call
 * crosses a network.
 */
export interface Dialect {
  readonly types: Readonly<Record<ColumnKind, string>>;
  /** Follows a table's definition: SQLite then keeps the rows themselves in the order of the key. */
  readonly clustered: string;
  /** A primary key's column that is read downwards; only SQLite can store it so. */
  readonly keyDescending: string;
  /** Finds where one text begins in another, counted from 1; 0 when it is not there. */
  readonly indexOf: string;
  /** Whether a union in some order merges parts that come in it. PostgreSQL sorts all, and merges a union of all parts only. */
  readonly mergesUnions: boolean;
  /** A table that is to be read by one of its indexes, where the planner takes advice. */
  indexedBy<T extends TableName>(table: T, index: string | null): AliasedRawBuilder<Row<T>, T>;
  /** A text as its bytes, where those need not be decoded to be read. */
  bytes(text: Expression<string>): RawBuilder<Buffer | string>;
  /** The texts of a JSON array, as a subquery with the column `text`. */
  textsOf(json: Expression<string>): RawBuilder<string>;
  select<T extends TableName>(table: T, by: readonly Column<T>[]): string;
  insert(table: TableName): string;
  insertNew(table: TableName): string;
  upsert(table: TableName): string;
  patch<T extends TableName>(table: T, set: readonly Column<T>[]): string;
  remove(table: TableName): string;
  /** Adds to numbers of the state: takes deltas and keys. */
  readonly count: string;
  /** Raises the data version, and lets other processes hear of it where they cannot look. */
  readonly raiseVersion: string;
  readonly search: SearchIndex;
  /** Whether dropping an index keeps readers waiting until the commit. */
  readonly dropsLockReaders: boolean;
  /** Finds the indexes of tables, less those of the primary keys, as `name` and `definition`. */
  indexesOf(tables: readonly TableName[]): { text: string; params: unknown[] };
}

/** Where commits on PostgreSQL announce the data version that they made. */
export const VERSION_CHANNEL = 'kith_data_version';

const quote = (name: string) => `"${name}"`;
const list = (names: readonly string[]) => names.map(quote).join(', ');
const keyOf = (table: TableName): readonly string[] => TABLES[table].key;

/** What an upsert does to a row that is there. */
function overwrite(table: TableName): string {
  const rest = columnsOf(table).filter((column) => !keyOf(table).includes(column));
  const set = rest.map((column) => `${quote(column)} = excluded.${quote(column)}`).join(', ');
  return `on conflict (${list(keyOf(table))}) do update set ${set}`;
}

/** A table under its own name, with words that follow the name. */
function hinted<T extends TableName>(table: T, words: RawBuilder<unknown>): AliasedRawBuilder<Row<T>, T> {
  return sql<Row<T>>`${sql.table(table)}`.as<T>(sql`${sql.table(table)} ${words}`);
}

const marks = (names: readonly string[]) => names.map(() => '?').join(', ');
const equalsMark = (names: readonly string[], separator: string) =>
  names.map((name) => `${quote(name)} = ?`).join(separator);

export const sqliteDialect: Dialect = {
  types: { text: 'text', integer: 'integer' },
  clustered: 'without rowid',
  keyDescending: 'desc',
  indexOf: 'instr',
  mergesUnions: true,
  indexedBy: (table, index) => hinted(table, index === null ? sql`` : sql`indexed by ${sql.ref(index)}`),
  bytes: (text) => sql`cast(${text} as blob)`,
  textsOf: (json) => sql`(select value as text from json_each(${json}))`,
  select: (table, by) => `select * from ${quote(table)} where ${equalsMark(by, ' and ')}`,
  insert: sqliteInsert,
  insertNew: (table) => `${sqliteInsert(table)} on conflict do nothing`,
  upsert: (table) => `${sqliteInsert(table)} ${overwrite(table)}`,
  patch: (table, set) =>
    `update ${quote(table)} set ${equalsMark(set, ', ')} where ${equalsMark(keyOf(table), ' and ')}`,
  remove: (table) => `delete from ${quote(table)} where ${equalsMark(keyOf(table), ' and ')}`,
  count: 'update state set value = value + ? where key = ?',
  raiseVersion: "update state set value = value + 1 where key = 'data_version'",
  search: sqliteSearchIndex,
  dropsLockReaders: false,
  indexesOf: (tables) => ({
    text: `select name, sql as definition from sqlite_schema
      where type = 'index' and sql is not null and tbl_name in (select value from json_each(?))`,
    params: [JSON.stringify(tables)],
  }),
};

function sqliteInsert(table: TableName): string {
  const columns = columnsOf(table);
  return `insert into ${quote(table)} (${list(columns)}) values (${marks(columns)})`;
}

const postgresTypes: Dialect['types'] = { text: 'text collate "C"', integer: 'bigint' };
const arrayTypes: Dialect['types'] = { text: 'text[]', integer: 'bigint[]' };

export const postgresDialect: Dialect = {
  types: postgresTypes,
  clustered: '',
  keyDescending: '',
  indexOf: 'strpos',
  mergesUnions: false,
  indexedBy: (table) => hinted(table, sql``),
  bytes: (text) => sql`${text}`,
  textsOf: (json) => sql`(select jsonb_array_elements_text(${json}::jsonb) as text)`,
  select: (table, by) => `select t.* from ${quote(table)} t join ${unnest(table, by)} on ${matches(by)}`,
  insert: postgresInsert,
  insertNew: (table) => `${postgresInsert(table)} on conflict do nothing returning ${list(keyOf(table))}`,
  upsert: (table) => `${postgresInsert(table)} ${overwrite(table)}`,
  patch: (table, set) => {
    const key = keyOf(table);
    const assign = set.map((column) => `${quote(column)} = given.${quote(column)}`).join(', ');
    return `update ${quote(table)} t set ${assign} from ${unnest(table, [...set, ...key])} where ${matches(key)}`;
  },
  remove: (table) => {
    const key = keyOf(table);
    return `delete from ${quote(table)} t using ${unnest(table, key)} where ${matches(key)}`;
  },
  count: `update state set value = value + delta
    from unnest($1::bigint[], $2::text[]) as given(delta, name) where key = name`,
  raiseVersion: `with raised as (update state set value = value + 1 where key = 'data_version' returning value)
    select pg_notify('${VERSION_CHANNEL}', value::text) from raised`,
  search: postgresSearchIndex,
  dropsLockReaders: true,
  indexesOf: (tables) => ({
    text: `select indexname as name, indexdef as definition from pg_indexes
      where schemaname = current_schema() and tablename = any($1)
        and indexname not like '%\\_pkey' and indexname not like '%\\_key'`,
    params: [tables],
  }),
};

function postgresInsert(table: TableName): string {
  const columns = columnsOf(table);
  return `insert into ${quote(table)} (${list(columns)}) select * from ${unnest(table, columns)}`;
}

/** The columns' arrays, which are the parameters, as rows called `given`. */
function unnest(table: TableName, columns: readonly string[]): string {
  const specs: Readonly<Record<string, { kind: ColumnKind }>> = TABLES[table].columns;
  const arrays = columns.map((column, i) => `$${i + 1}::${arrayTypes[specs[column]?.kind ?? 'text']}`);
  return `unnest(${arrays.join(', ')}) as given(${list(columns)})`;
}

const matches = (columns: readonly string[]) =>
  columns.map((column) => `t.${quote(column)} = given.${quote(column)}`).join(' and ');
