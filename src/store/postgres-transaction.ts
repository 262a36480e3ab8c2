import type { Compilable } from 'kysely';
import type { ClientBase } from 'pg';
import { postgresDialect } from './dialect.ts';
import { VERSION_CHANNEL } from './postgres-version.ts';
import { compile, createBuilder } from './prepare.ts';
import { type Column, type Row, TABLES, type TableName } from './schema.ts';
import type { BuildQuery, Transaction, WriteBuilder } from './store.ts';

/** Rows per statement: enough to forget the round trip, few enough to keep the message small. */
const CHUNK = 5_000;

type Values = Record<string, unknown>;

/** Sends rows as one array per column. */
export function createPostgresTransaction(client: ClientBase): Transaction {
  const builder = createBuilder('postgres');
  const columnsOf = (table: TableName) => Object.keys(TABLES[table].columns);

  async function send(text: string, width: number, rows: readonly unknown[][]): Promise<unknown[]> {
    const results: unknown[] = [];
    for (let start = 0; start < rows.length; start += CHUNK) {
      const chunk = rows.slice(start, start + CHUNK);
      const arrays = Array.from({ length: width }, (_, column) => chunk.map((row) => row[column]));
      for (const row of (await client.query(text, arrays)).rows) results.push(row);
    }
    return results;
  }

  const sendRows = (text: string, columns: readonly string[], rows: readonly object[]) =>
    send(
      text,
      columns.length,
      rows.map((row) => columns.map((column) => (row as Values)[column])),
    );

  return {
    async read<T extends TableName>(table: T, by: readonly Column<T>[], keys: readonly unknown[][]) {
      // Safe: the columns of the table are the fields of its row.
      return (await send(postgresDialect.select(table, by), by.length, keys)) as Row<T>[];
    },
    async insertNew<T extends TableName>(table: T, rows: readonly Row<T>[]) {
      return (await sendRows(postgresDialect.insertNew(table), columnsOf(table), rows)) as Row<T>[];
    },
    async upsert(table, rows) {
      await sendRows(postgresDialect.upsert(table), columnsOf(table), rows);
    },
    async patch(table, set, rows) {
      await sendRows(postgresDialect.patch(table, set), [...set, ...TABLES[table].key], rows);
    },
    async remove(table, rows) {
      await sendRows(postgresDialect.remove(table), TABLES[table].key, rows);
    },
    async withoutIndexes(tables, work) {
      // Dropping an index locks readers out until the commit, so it is done only where there is nothing to read.
      if (!(await areEmpty(client, tables))) return work();
      const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
        `select indexname, indexdef from pg_indexes
         where schemaname = current_schema() and tablename = any($1) and indexname not like '%\\_pkey'`,
        [tables],
      );
      for (const { indexname } of indexes) await client.query(`drop index "${indexname}"`);
      const result = await work();
      for (const { indexdef } of indexes) await client.query(indexdef);
      return result;
    },
    async count(deltas) {
      await client.query(
        'update state set value = value + delta from unnest($1::text[], $2::bigint[]) as given(name, delta) where key = name',
        [Object.keys(deltas), Object.values(deltas)],
      );
    },
    async raiseVersion() {
      await client.query(
        `with raised as (update state set value = value + 1 where key = 'data_version' returning value)
         select pg_notify($1, value::text) from raised`,
        [VERSION_CHANNEL],
      );
    },
    async query<R>(build: BuildQuery<R>) {
      const { text, bind } = compile(build(builder));
      return (await client.query(text, bind({}))).rows as R[];
    },
    async execute(build: (db: WriteBuilder) => Compilable) {
      const { text, bind } = compile(build(builder));
      await client.query(text, bind({}));
    },
  };
}

async function areEmpty(client: ClientBase, tables: readonly TableName[]): Promise<boolean> {
  for (const table of tables) {
    if ((await client.query(`select 1 from "${table}" limit 1`)).rows.length > 0) return false;
  }
  return true;
}
