import { type Expression, Kysely, PostgresDialect, type RawBuilder, SqliteDialect, sql } from 'kysely';
import type { BulkStatement } from './executor.ts';
import { type Column, type ColumnKind, columnsOf, TABLE_NAMES, TABLES, type TableName, type Tables } from './schema.ts';
import { keysOf, SOURCES } from './versions.ts';

/** The query builder of readers: it can only select. */
export type ReadBuilder = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'with'>;
/** The query builder for statements in a write transaction. */
export type WriteBuilder = Pick<Kysely<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'>;

/** The builders have no connection: Kysely compiles the queries, and the store prepares and runs them. */
const connect = () => Promise.reject(new Error('a query builder has no connection'));

const sqliteBuilder = new Kysely<Tables>({ dialect: new SqliteDialect({ database: connect }) });
const postgresBuilder = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connect }) });

/** Every difference between the SQL of the two engines. */
export interface Dialect {
  readonly builder: Kysely<Tables>;
  readonly types: Readonly<Record<ColumnKind, string>>;
  /** Whether tables can store rows in primary key order, which may be descending: SQLite's `without rowid`. */
  readonly isClustered: boolean;
  /** Function that returns the 1-based position of a substring, or 0. */
  readonly indexOf: string;
  /** The text of an address of which a column has the bytes. */
  addressOf(column: string): string;
  /** An index hint, to follow the name of a table. Empty on PostgreSQL, which has none. */
  indexHint(index: string): string;
  /** Joins the row of a table by its key, if there is one. PostgreSQL would read the whole table: it plans for pages of any length. */
  leftJoinOne(table: TableName, on: RawBuilder<unknown>): RawBuilder<unknown>;
  /** An aggregate of a column to a JSON array, as text; null without rows. */
  jsonArray(column: string): RawBuilder<string | null>;
  /** The strings of a JSON array, as a subquery with the column `text`. */
  textsOf(json: Expression<string>): RawBuilder<string>;
  select<T extends TableName>(table: T, by: readonly Column<T>[]): BulkStatement;
  insert(table: TableName): BulkStatement;
  /** Inserts the rows whose key is not in the table, and returns their keys. */
  insertNew(table: TableName): BulkStatement;
  upsert(table: TableName): BulkStatement;
  patch<T extends TableName>(table: T, set: readonly Column<T>[]): BulkStatement;
  remove(table: TableName): BulkStatement;
  /** Adds deltas, the first parameter, to the values of keys of `state`, the second. */
  readonly count: BulkStatement;
  /**
   * Raises the data version and those of sources, whose keys are a JSON array. PostgreSQL also notifies other processes and
   * returns the text of `readVersions`; SQLite processes poll a pragma.
   */
  readonly raiseVersions: string;
  /** The names of all tables. Kysely's introspection fails while another process migrates them. */
  readonly readTables: string;
  /** Selects the text of `Versions` as `version`. */
  readonly readVersions: string;
  /** Whether `drop index` blocks readers until the commit. */
  readonly dropsLockReaders: boolean;
  /** Selects `name` and `definition` of the indexes of tables, except those of constraints. */
  indexesOf(tables: readonly TableName[]): { text: string; params: unknown[] };
}

/** The PostgreSQL notification channel of new versions. */
export const VERSION_CHANNEL = 'kith_data_version';

const VERSION_KEYS = keysOf(SOURCES)
  .map((key) => `'${key}'`)
  .join(', ');
/** A double holds it. */
const MAX_ID = 2 ** 52 - 1;

const quote = (name: string) => `"${name}"`;
const list = (names: readonly string[]) => names.map(quote).join(', ');
const keyOf = (table: TableName): readonly string[] => TABLES[table].key;
const kindOf = <T extends TableName>(table: T, column: string): ColumnKind => {
  // Safe: callers name columns of the table.
  return TABLES[table].columns[column as Column<T>].kind;
};
const unbatched = (text: string): BulkStatement => ({ text, batch: null });

function onConflictUpdate(table: TableName): string {
  const rest = columnsOf(table).filter((column) => !keyOf(table).includes(column));
  const set = rest.map((column) => `${quote(column)} = excluded.${quote(column)}`).join(', ');
  return `on conflict (${list(keyOf(table))}) do update set ${set}`;
}

const onConflictIgnore = (table: TableName) => `on conflict do nothing returning ${list(keyOf(table))}`;

/** Rows per batch of an insert. Inserting a notification takes 3 µs in a batch and 4.5 µs alone. */
const BATCH_ROWS = 40;

const sqliteMark = (table: TableName, column: string) =>
  kindOf(table, column) === 'address' ? 'unhex(substr(?, 3))' : '?';
const equalsMark = (table: TableName, names: readonly string[], separator: string) =>
  names.map((name) => `${quote(name)} = ${sqliteMark(table, name)}`).join(separator);
const sqliteAddress = (column: string) => `'0x' || lower(hex(${column}))`;
const sqliteColumn = (table: TableName, column: string) =>
  kindOf(table, column) === 'address' ? `${sqliteAddress(quote(column))} as ${quote(column)}` : quote(column);

function sqliteInsert(table: TableName, rows: number): string {
  const columns = columnsOf(table);
  const row = `(${columns.map((column) => sqliteMark(table, column)).join(', ')})`;
  return `insert into ${quote(table)} (${list(columns)}) values ${Array(rows).fill(row).join(', ')}`;
}

function sqliteInserts(table: TableName) {
  const [one, many] = [sqliteInsert(table, 1), sqliteInsert(table, BATCH_ROWS)];
  const batched = (end: string): BulkStatement => ({
    text: `${one} ${end}`,
    batch: { text: `${many} ${end}`, rows: BATCH_ROWS },
  });
  return { insert: batched(''), insertNew: batched(onConflictIgnore(table)), upsert: batched(onConflictUpdate(table)) };
}

/** Built once, because the text of a batch is long. */
const SQLITE_INSERTS = Object.fromEntries(
  TABLE_NAMES.map((table) => [table, sqliteInserts(table)]),
  // Safe: these are all tables.
) as Record<TableName, ReturnType<typeof sqliteInserts>>;

export const sqliteDialect: Dialect = {
  builder: sqliteBuilder,
  types: { text: 'text', integer: 'integer', id: 'integer', small: 'integer', address: 'blob' },
  isClustered: true,
  indexOf: 'instr',
  addressOf: sqliteAddress,
  indexHint: (index) => `indexed by "${index}"`,
  leftJoinOne: (table, on) => sql`left join ${sql.table(table)} on ${on}`,
  jsonArray: (column) => sql`nullif(json_group_array(${sql.ref(column)}), '[]')`,
  textsOf: (json) => sql`(select value as text from json_each(${json}))`,
  select: (table, by) => {
    const columns = columnsOf(table).map((column) => sqliteColumn(table, column));
    return unbatched(`select ${columns.join(', ')} from ${quote(table)} where ${equalsMark(table, by, ' and ')}`);
  },
  insert: (table) => SQLITE_INSERTS[table].insert,
  insertNew: (table) => SQLITE_INSERTS[table].insertNew,
  upsert: (table) => SQLITE_INSERTS[table].upsert,
  patch: (table, set) =>
    unbatched(
      `update ${quote(table)} set ${equalsMark(table, set, ', ')} where ${equalsMark(table, keyOf(table), ' and ')}`,
    ),
  remove: (table) => unbatched(`delete from ${quote(table)} where ${equalsMark(table, keyOf(table), ' and ')}`),
  count: unbatched('update state set value = value + ? where key = ?'),
  readTables:
    "select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'",
  raiseVersions: `update state set value = iif(key = 'data_version', value + 1, random() & ${MAX_ID})
    where key in (select value from json_each(?))`,
  readVersions: `select group_concat(key || '=' || value, ' ') as version from state where key in (${VERSION_KEYS})`,
  dropsLockReaders: false,
  indexesOf: (tables) => ({
    text: `select name, sql as definition from sqlite_schema
      where type = 'index' and sql is not null and tbl_name in (select value from json_each(?))`,
    params: [JSON.stringify(tables)],
  }),
};

const VERSION_TEXT = `string_agg(key || '=' || value, ' ' order by key)`;
// Text compares by bytes, as in SQLite.
const postgresTypes: Dialect['types'] = {
  text: 'text collate "C"',
  integer: 'bigint',
  id: 'integer',
  small: 'smallint',
  address: 'bytea',
};
const arrayTypes: Dialect['types'] = {
  text: 'text[]',
  integer: 'bigint[]',
  id: 'integer[]',
  small: 'smallint[]',
  address: 'text[]',
};

function postgresInsert(table: TableName): string {
  const columns = columnsOf(table);
  return `insert into ${quote(table)} (${list(columns)}) select * from ${unnest(table, columns)}`;
}

function postgresCopy(table: TableName): NonNullable<BulkStatement['copy']> {
  const columns = columnsOf(table);
  return {
    text: `copy ${quote(table)} (${list(columns)}) from stdin`,
    kinds: columns.map((column) => kindOf(table, column)),
  };
}

/** The array parameters, one per column, as rows of `given`. */
function unnest(table: TableName, columns: readonly string[]): string {
  const arrays = columns.map((column, i) => `$${i + 1}::${arrayTypes[kindOf(table, column)]}`);
  const given = `unnest(${arrays.join(', ')}) as given(${list(columns)})`;
  const values = columns.map((column) =>
    kindOf(table, column) === 'address'
      ? `decode(substr(${quote(column)}, 3), 'hex') as ${quote(column)}`
      : quote(column),
  );
  return `(select ${values.join(', ')} from ${given}) as given`;
}

const postgresAddress = (column: string) => `'0x' || encode(${column}, 'hex')`;
const postgresColumn = (table: TableName, column: string) =>
  kindOf(table, column) === 'address'
    ? `${postgresAddress(`t.${quote(column)}`)} as ${quote(column)}`
    : `t.${quote(column)}`;

const matches = (columns: readonly string[]) =>
  columns.map((column) => `t.${quote(column)} = given.${quote(column)}`).join(' and ');

export const postgresDialect: Dialect = {
  builder: postgresBuilder,
  types: postgresTypes,
  isClustered: false,
  indexOf: 'strpos',
  addressOf: postgresAddress,
  indexHint: () => '',
  leftJoinOne: (table, on) =>
    sql`left join lateral (select * from ${sql.table(table)} where ${on} limit 1) as ${sql.table(table)} on true`,
  jsonArray: (column) => sql`json_agg(${sql.ref(column)})::text`,
  textsOf: (json) => sql`(select jsonb_array_elements_text(${json}::jsonb) as text)`,
  select: (table, by) => {
    const columns = columnsOf(table).map((column) => postgresColumn(table, column));
    return unbatched(`select ${columns.join(', ')} from ${quote(table)} t join ${unnest(table, by)} on ${matches(by)}`);
  },
  insert: (table) => ({ ...unbatched(postgresInsert(table)), copy: postgresCopy(table) }),
  insertNew: (table) => unbatched(`${postgresInsert(table)} ${onConflictIgnore(table)}`),
  upsert: (table) => unbatched(`${postgresInsert(table)} ${onConflictUpdate(table)}`),
  patch: (table, set) => {
    const key = keyOf(table);
    const assign = set.map((column) => `${quote(column)} = given.${quote(column)}`).join(', ');
    const given = unnest(table, [...set, ...key]);
    return unbatched(`update ${quote(table)} t set ${assign} from ${given} where ${matches(key)}`);
  },
  remove: (table) => {
    const key = keyOf(table);
    return unbatched(`delete from ${quote(table)} t using ${unnest(table, key)} where ${matches(key)}`);
  },
  count: unbatched(`update state set value = value + delta
    from unnest($1::bigint[], $2::text[]) as given(delta, name) where key = name`),
  readTables: 'select tablename as name from pg_tables where schemaname = any (current_schemas(false))',
  raiseVersions: `with raised as (
      update state set value = case key when 'data_version' then value + 1 else (random() * ${MAX_ID})::bigint end
      where key in (select json_array_elements_text($1::json)) returning key, value),
    kept as (select key, value from state where key in (${VERSION_KEYS}) and key not in (select key from raised)),
    named as (select ${VERSION_TEXT} as version from (table raised union all table kept) as state)
    select version, pg_notify('${VERSION_CHANNEL}', version) from named`,
  readVersions: `select ${VERSION_TEXT} as version from state where key in (${VERSION_KEYS})`,
  dropsLockReaders: true,
  indexesOf: (tables) => ({
    text: `select indexname as name, indexdef as definition from pg_indexes
      where schemaname = current_schema() and tablename = any($1)
        and indexname not like '%\\_pkey' and indexname not like '%\\_key'`,
    params: [tables],
  }),
};
