import type { Database, Statement } from 'better-sqlite3';
import type { Compilable } from 'kysely';
import { sqliteDialect } from './dialect.ts';
import { compile, createBuilder } from './prepare.ts';
import { type Column, type Row, TABLES, type TableName } from './schema.ts';
import type { BuildQuery, Transaction, WriteBuilder } from './store.ts';

type Values = Record<string, unknown>;

/** Runs each row through a statement that is prepared once per connection. */
export function createSqliteTransaction(db: Database): Transaction {
  const builder = createBuilder('sqlite');
  const statements = new Map<string, Statement<unknown[]>>();
  const prepare = (text: string) => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = db.prepare<unknown[]>(text);
      statements.set(text, statement);
    }
    return statement;
  };
  const pick = (columns: readonly string[]) => (row: object) => columns.map((column) => (row as Values)[column]);
  const columnsOf = (table: TableName) => Object.keys(TABLES[table].columns);

  return {
    async read<T extends TableName>(table: T, by: readonly Column<T>[], keys: readonly unknown[][]) {
      const statement = prepare(sqliteDialect.select(table, by));
      // Safe: the columns of the table are the fields of its row.
      return keys.flatMap((key) => statement.all(...key) as Row<T>[]);
    },
    async insertNew<T extends TableName>(table: T, rows: readonly Row<T>[]) {
      const statement = prepare(sqliteDialect.insertNew(table));
      const values = pick(columnsOf(table));
      return rows.filter((row) => statement.run(values(row)).changes > 0);
    },
    async upsert(table, rows) {
      const statement = prepare(sqliteDialect.upsert(table));
      const values = pick(columnsOf(table));
      for (const row of rows) statement.run(values(row));
    },
    async patch(table, set, rows) {
      const statement = prepare(sqliteDialect.patch(table, set));
      const values = pick([...set, ...TABLES[table].key]);
      for (const row of rows) statement.run(values(row));
    },
    async remove(table, rows) {
      const statement = prepare(sqliteDialect.remove(table));
      const values = pick(TABLES[table].key);
      for (const row of rows) statement.run(values(row));
    },
    async withoutIndexes(tables, work) {
      const wanted = tables.map((table) => `'${table}'`).join(', ');
      const indexes = db
        .prepare(
          `select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in (${wanted})`,
        )
        .all() as { name: string; sql: string }[];
      for (const { name } of indexes) db.exec(`drop index "${name}"`);
      const result = await work();
      for (const { sql } of indexes) db.exec(sql);
      return result;
    },
    async count(deltas) {
      const statement = prepare('update state set value = value + ? where key = ?');
      for (const [key, delta] of Object.entries(deltas)) statement.run(delta, key);
    },
    async raiseVersion() {
      prepare("update state set value = value + 1 where key = 'data_version'").run();
    },
    async query<R>(build: BuildQuery<R>) {
      const { text, bind } = compile(build(builder));
      return prepare(text).all(bind({})) as R[];
    },
    async execute(build: (db: WriteBuilder) => Compilable) {
      const { text, bind } = compile(build(builder));
      prepare(text).run(bind({}));
    },
  };
}
