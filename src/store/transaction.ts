import type { Compilable } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { BulkStatement, Executor } from './executor.ts';
import { compile } from './params.ts';
import type { WriteBuilder } from './query-builder.ts';
import { type Column, columnsOf, type Row, TABLES, type TableName } from './schema.ts';
import type { IndexedMember } from './search-index.ts';
import type { Statement } from './statement.ts';
import type { Transaction } from './store.ts';

/** The methods of a transaction, on the connection of `executor`. */
export function createTransaction(dialect: Dialect, executor: Executor): Transaction {
  const writeRows = async (statement: BulkStatement, columns: readonly string[], rows: readonly object[]) => {
    if (rows.length > 0) await executor.write(statement, toColumns(columns, rows));
  };
  const all = async <P extends object, R>({ build }: Statement<P, R>, params: P) => {
    const { text, bind } = compile(build(dialect.builder, dialect));
    return (await executor.run(text, bind(params))) as R[];
  };

  // Safe: the columns of the table are the fields of its row.
  const select = async <T extends TableName>(table: T, by: readonly Column<T>[], columns: readonly unknown[][]) =>
    (await executor.select(dialect.select(table, by), columns)) as Row<T>[];

  return {
    dialect,
    async read(table, by, keys) {
      if (keys.length === 0) return [];
      return select(
        table,
        by,
        by.map((_, i) => keys.map((key) => key[i])),
      );
    },
    readBy: async (table, column, values) => (values.length === 0 ? [] : select(table, [column], [[...values]])),
    insert: (table, rows) => writeRows(dialect.insert(table), columnsOf(table), rows),
    async insertNew<T extends TableName>(table: T, rows: readonly Row<T>[]) {
      const columns = toColumns(columnsOf(table), rows);
      const added = await executor.insertNew(dialect.insertNew(table), table, columns);
      // Safe: these are positions in `rows`.
      return added.map((i) => rows[i] as Row<T>);
    },
    upsert: (table, rows) => writeRows(dialect.upsert(table), columnsOf(table), rows),
    patch: (table, set, rows) => writeRows(dialect.patch(table, set), [...set, ...TABLES[table].key], rows),
    remove: (table, rows) => writeRows(dialect.remove(table), TABLES[table].key, rows),
    async indexGrams(removed, added) {
      const { maintain } = dialect.search;
      if (maintain === null) return;
      const withRowId = (member: IndexedMember) => ({ ...member, rowid: maintain.rowIdOf(member) });
      await writeRows(maintain.remove, ['rowid'], removed.map(withRowId));
      await writeRows(maintain.add, ['rowid', 'grams'], added.map(withRowId));
    },
    async mergeGrams(pages, all) {
      const { maintain } = dialect.search;
      if (maintain !== null) await executor.run(maintain.merge, [all ? -pages : pages]);
    },
    async withoutIndexes(tables, work) {
      if (dialect.dropsLockReaders && !(await areEmpty(tables))) return work();
      const { text, params } = dialect.indexesOf(tables);
      // Safe: the statement selects these columns.
      const indexes = (await executor.run(text, params)) as { name: string; definition: string }[];
      for (const { name } of indexes) await executor.run(`drop index "${name}"`, []);
      const result = await work();
      for (const { definition } of indexes) await executor.run(definition, []);
      return result;
    },
    count: (deltas) => executor.write(dialect.count, [Object.values(deltas), Object.keys(deltas)]),
    async raiseVersion() {
      await executor.run(dialect.raiseVersion, []);
    },
    all,
    query: (build) => all({ build }, {}),
    async execute(build: (db: WriteBuilder) => Compilable) {
      const { text, bind } = compile(build(dialect.builder));
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

function toColumns(columns: readonly string[], rows: readonly object[]): unknown[][] {
  return columns.map((column) => rows.map((row) => (row as Record<string, unknown>)[column]));
}
