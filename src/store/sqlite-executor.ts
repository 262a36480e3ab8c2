import type { Database, Statement } from 'better-sqlite3';
import type { Executor } from './executor.ts';

/** Statements that begin and end transactions. */
const BOUNDARY = /^(?:begin|commit|rollback)\b/;

/** Runs each row through a statement that is prepared once per connection. */
export function createSqliteExecutor(db: Database): Executor {
  const statements = new Map<string, Statement<unknown[]>>();
  const prepare = (text: string) => {
    // After some errors, a full disk for instance, SQLite rolls back by itself. What was asked for behind it must fail too.
    if (!db.inTransaction && !BOUNDARY.test(text)) throw new Error('the transaction has been rolled back');
    let statement = statements.get(text);
    if (statement === undefined) statements.set(text, (statement = db.prepare<unknown[]>(text)));
    return statement;
  };
  return {
    async run(text, params) {
      const statement = prepare(text);
      // Safe: a statement that gives rows gives objects.
      if (statement.reader) return statement.all(...params) as object[];
      statement.run(...params);
      return [];
    },
    async select(text, columns) {
      const statement = prepare(text);
      const rows: object[] = [];
      forEachRow(columns, (values) => {
        for (const row of statement.all(...values)) rows.push(row as object);
      });
      return rows;
    },
    async write(text, columns) {
      const statement = prepare(text);
      forEachRow(columns, (values) => statement.run(...values));
    },
    async insertNew(text, _table, columns) {
      const statement = prepare(text);
      const added: number[] = [];
      forEachRow(columns, (values, i) => {
        if (statement.run(...values).changes > 0) added.push(i);
      });
      return added;
    },
  };
}

/** Calls `use` with the values of each row; the array is used again for the next. */
function forEachRow(columns: readonly unknown[][], use: (values: unknown[], row: number) => void): void {
  const values: unknown[] = columns.map(() => null);
  const rows = columns[0]?.length ?? 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns.length; column++) values[column] = columns[column]?.[row];
    use(values, row);
  }
}
