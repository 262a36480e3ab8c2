import type { Database, Statement } from 'better-sqlite3';
import { sqliteDialect } from '../dialect.ts';
import type { Executor } from '../executor.ts';

/** Statements that begin and end transactions. */
const BOUNDARY = /^(?:begin|commit|rollback)\b/;

/** Rows without their columns' names, so that they can be handed to another thread in less time than reading them took. */
export interface Rows {
  readonly names: readonly string[];
  readonly rows: readonly unknown[][];
}

/** What an `Executor` does, at once and with rows as the driver gives them. */
export interface SqliteExecutor {
  run(...args: Parameters<Executor['run']>): Rows;
  select(...args: Parameters<Executor['select']>): Rows;
  write(...args: Parameters<Executor['write']>): void;
  insertNew(...args: Parameters<Executor['insertNew']>): number[];
}

/** Rows that one statement inserts, where there are as many: 3 µs for a notification in place of 4.5. */
const AT_ONCE = 40;

/** Runs rows through statements that are prepared once per connection. */
export function createSqliteExecutor(db: Database): SqliteExecutor {
  const statements = new Map<string, Statement<unknown[], unknown[]>>();
  const prepare = (text: string) => {
    // After some errors, a full disk for instance, SQLite rolls back by itself. What was asked for behind it must fail too.
    if (!db.inTransaction && !BOUNDARY.test(text)) throw new Error('the transaction has been rolled back');
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = db.prepare<unknown[], unknown[]>(text);
      // As objects, rows take half as long again.
      if (statement.reader) statement.raw();
      statements.set(text, statement);
    }
    return statement;
  };
  return {
    run(text, params) {
      const statement = prepare(text);
      if (statement.reader) return { names: namesOf(statement), rows: statement.all(...params) };
      statement.run(...params);
      return { names: [], rows: [] };
    },
    select(text, columns) {
      const statement = prepare(text);
      const rows: unknown[][] = [];
      forRows(columns, 1, (values) => {
        for (const row of statement.all(...values)) rows.push(row);
      });
      return { names: namesOf(statement), rows };
    },
    write(text, columns) {
      const many = forManyRows(text, columns);
      const done = many === null ? 0 : forRows(columns, AT_ONCE, (values) => prepare(many).run(...values));
      const statement = prepare(text);
      forRows(columns, 1, (values) => statement.run(...values), done);
    },
    insertNew(text, table, columns) {
      const statement = prepare(text);
      const added: number[] = [];
      const insertOne = (values: readonly unknown[], row: number) => {
        if (statement.run(...values).changes > 0) added.push(row);
      };
      const insertMany = (many: string) => (values: readonly unknown[], first: number) => {
        const areNew = isInserted(() => prepare(many).run(...values));
        for (let i = 0; i < AT_ONCE; i++) {
          if (areNew) added.push(first + i);
          else insertOne(values.slice(i * columns.length, (i + 1) * columns.length), first + i);
        }
      };
      const many = forManyRows(sqliteDialect.insert(table), columns);
      const done = many === null ? 0 : forRows(columns, AT_ONCE, insertMany(many));
      forRows(columns, 1, insertOne, done);
      return added;
    },
  };
}

/** Of a table of our own, whose name is quoted: FTS5 would begin a new part of its index with every such statement. */
const INSERT_OF_ROW = /^(insert into "[^?]* values )(\([?, ]+\))([^?]*)$/;

/** The insert of a row as one of `AT_ONCE`; null for another kind of statement, and where there are not as many. */
function forManyRows(text: string, [first = []]: readonly unknown[][]): string | null {
  const [, start, row, end] = (first.length >= AT_ONCE && INSERT_OF_ROW.exec(text)) || [];
  return row === undefined ? null : `${start}${Array(AT_ONCE).fill(row).join(', ')}${end}`;
}

/** Whether an insert succeeds; not if one of its rows cannot be inserted, and then none is. */
function isInserted(insert: () => void): boolean {
  try {
    insert();
    return true;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT')) return false;
    throw error;
  }
}

export function namesOf(statement: Statement<unknown[], unknown[]>): string[] {
  return statement.columns().map(({ name }) => name);
}

/** The same for callers that wait, with rows as objects. */
export function toExecutor(executor: SqliteExecutor): Executor {
  return {
    run: async (...args) => toObjects(executor.run(...args)),
    select: async (...args) => toObjects(executor.select(...args)),
    write: async (...args) => executor.write(...args),
    insertNew: async (...args) => executor.insertNew(...args),
  };
}

/** Named here, and not by the driver, which makes each name anew for each row: 9.4 µs in place of 11 for details. */
export function toObjects({ names, rows }: Rows): object[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i];
    return row;
  });
}

/**
 * Calls `use` with the values of as many rows as `count` tells, one row's behind the other's, until fewer are left, and
 * tells where those begin. The array is used again for the next.
 */
function forRows(
  columns: readonly unknown[][],
  count: number,
  use: (values: unknown[], first: number) => void,
  start = 0,
): number {
  const values: unknown[] = Array(columns.length * count).fill(null);
  const rows = columns[0]?.length ?? 0;
  let first = start;
  for (; first + count <= rows; first += count) {
    let at = 0;
    for (let row = first; row < first + count; row++) {
      for (const column of columns) values[at++] = column[row];
    }
    use(values, first);
  }
  return first;
}
