import {
  type Compilable,
  type CompiledQuery,
  DeleteQueryNode,
  InsertQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely';
import type { Dialect, ReadBuilder, WriteBuilder } from './dialect.ts';
import type { BulkStatement, Executor } from './executor.ts';
import { requireKnownSchema } from './migrate.ts';
import { compile } from './params.ts';
import { type Column, columnsOf, type Row, TABLES, type TableName } from './schema.ts';
import type { Query, Statement } from './statement.ts';
import { type Changed, keysOf, type StateKey, sourceOfState } from './versions.ts';

/**
 * Runs `work` in the transaction that is open on the connection of `executor`, and raises the versions of the sources that
 * it has changed. `raised` is what that statement returns on PostgreSQL, the text of the new versions.
 */
export async function runTransaction<T>(
  dialect: Dialect,
  executor: Executor,
  work: (tx: ReturnType<typeof createTransaction>) => Promise<T>,
): Promise<{ result: T; raised: string | undefined }> {
  await requireKnownSchema(executor);
  const changed = new Set<Changed>();
  const result = await work(createTransaction(dialect, executor, changed));
  if (changed.size === 0) return { result, raised: undefined };
  // Safe: the statement of PostgreSQL selects it. That of SQLite returns nothing.
  const rows = (await executor.run(dialect.raiseVersions, [JSON.stringify(keysOf(changed))])) as { version: string }[];
  return { result, raised: rows[0]?.version };
}

/** See `Transaction`. Adds the sources of the rows that it writes to `changed`. */
export function createTransaction(dialect: Dialect, executor: Executor, changed: Set<Changed>) {
  const add = (source: Changed | null) => {
    if (source !== null) changed.add(source);
  };
  const wrote = (table: TableName, rows: readonly object[]) => {
    const { sources } = TABLES[table];
    // Safe: the rows of this table have a key.
    if (sources === 'by key') for (const { key } of rows as { key: StateKey }[]) add(sourceOfState(key));
    else if (rows.length > 0) sources.forEach(add);
  };
  const writeRows = async (statement: BulkStatement, columns: readonly string[], rows: readonly object[]) => {
    if (rows.length > 0) await executor.runBulk(statement, toColumns(columns, rows));
  };
  const all = async <P extends object, R>({ build }: Statement<P, R>, params: P) => {
    const { text, bind } = compile(build(dialect.builder, dialect, false), dialect.builder);
    return (await executor.run(text, bind(params))) as R[];
  };

  // Safe: the columns of the table are the fields of its row.
  const select = async <T extends TableName>(table: T, by: readonly Column<T>[], columns: readonly unknown[][]) =>
    (await executor.runBulk(dialect.select(table, by), columns)) as Row<T>[];

  /** For rows that no answer shows, whatever their table: raises no version. */
  const unseen = {
    insert: <T extends TableName>(table: T, rows: readonly Row<T>[]) =>
      writeRows(dialect.insert(table), columnsOf(table), rows),
    upsert: <T extends TableName>(table: T, rows: readonly Row<T>[]) =>
      writeRows(dialect.upsert(table), columnsOf(table), rows),
  };

  return {
    dialect,
    unseen,
    /** The rows whose columns `by` equal one of `keys`. */
    async read<T extends TableName>(table: T, by: readonly Column<T>[], keys: readonly unknown[][]) {
      if (keys.length === 0) return [];
      return select(
        table,
        by,
        by.map((_, i) => keys.map((key) => key[i])),
      );
    },
    /** The rows whose column equals one of `values`. */
    readBy: async <T extends TableName>(table: T, column: Column<T>, values: readonly unknown[]) =>
      values.length === 0 ? [] : select(table, [column], [[...values]]),
    /** Fails if a row exists. */
    insert<T extends TableName>(table: T, rows: readonly Row<T>[]) {
      wrote(table, rows);
      return unseen.insert(table, rows);
    },
    /** Skips rows that exist, and returns those that were inserted. */
    async insertNew<T extends TableName>(table: T, rows: readonly Row<T>[]) {
      const inserted = await executor.runBulk(dialect.insertNew(table), toColumns(columnsOf(table), rows));
      wrote(table, inserted);
      if (inserted.length === rows.length) return [...rows];
      const keys = new Set(inserted.map((key) => JSON.stringify(Object.values(key))));
      // Delete each key when it is found: of two rows with the same key, the first was inserted.
      return rows.filter((row) => keys.delete(JSON.stringify(TABLES[table].key.map((column) => row[column]))));
    },
    upsert<T extends TableName>(table: T, rows: readonly Row<T>[]) {
      wrote(table, rows);
      return unseen.upsert(table, rows);
    },
    /** Updates the columns `set` of the rows with the given primary keys. */
    patch<T extends TableName, C extends Column<T>>(table: T, set: readonly C[], rows: readonly Partial<Row<T>>[]) {
      for (const column of set) {
        const { source } = TABLES[table].columns[column];
        if (source === undefined) wrote(table, rows);
        else if (rows.length > 0) add(source);
      }
      return writeRows(dialect.patch(table, set), [...set, ...TABLES[table].key], rows);
    },
    /** Deletes the rows with the given primary keys. */
    remove<T extends TableName>(table: T, rows: readonly Partial<Row<T>>[]) {
      wrote(table, rows);
      return writeRows(dialect.remove(table), TABLES[table].key, rows);
    },
    /** Drops the indexes of tables, runs `work`, and creates them again. Keeps them if dropping would block readers. */
    async withoutIndexes<T>(tables: readonly TableName[], work: () => Promise<T>) {
      if (dialect.dropsLockReaders && !(await areEmpty(tables))) return work();
      const { text, params } = dialect.indexesOf(tables);
      // Safe: the statement selects these columns.
      const indexes = (await executor.run(text, params)) as { name: string; definition: string }[];
      for (const { name } of indexes) await executor.run(`drop index "${name}"`, []);
      const result = await work();
      for (const { definition } of indexes) await executor.run(definition, []);
      return result;
    },
    /** Adds to values of `state`. */
    async count(deltas: Partial<Record<StateKey, number>>) {
      const counted = Object.entries(deltas).filter(([, delta]) => delta !== 0);
      if (counted.length === 0) return;
      // Safe: these are the keys of the parameter.
      for (const [key] of counted) add(sourceOfState(key as StateKey));
      await executor.runBulk(dialect.count, [counted.map(([, delta]) => delta), counted.map(([key]) => key)]);
    },
    all,
    query: <R>(build: (db: ReadBuilder) => Query<R>) => all({ build }, {}),
    async execute(build: (db: WriteBuilder) => Compilable) {
      const { text, bind, query } = compile(build(dialect.builder), dialect.builder);
      wrote(writtenTable(query), [{}]);
      await executor.run(text, bind({}));
    },
  };

  async function areEmpty(tables: readonly TableName[]): Promise<boolean> {
    for (const table of tables) {
      if ((await executor.run(`select 1 from "${table}" limit 1`, [])).length > 0) return false;
    }
    return true;
  }
}

/** The table that a statement of the query builder writes. */
function writtenTable(query: CompiledQuery['query']): TableName {
  const table = InsertQueryNode.is(query)
    ? query.into
    : DeleteQueryNode.is(query)
      ? query.from.froms[0]
      : UpdateQueryNode.is(query) && query.table;
  // Safe: the builder knows these tables only. Those of `state` have other statements.
  if (table && TableNode.is(table)) return table.table.identifier.name as TableName;
  throw new Error('the statement writes no table');
}

function toColumns(columns: readonly string[], rows: readonly object[]): unknown[][] {
  return columns.map((column) => rows.map((row) => (row as Record<string, unknown>)[column]));
}
