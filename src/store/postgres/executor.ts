import type { ClientBase, QueryResult } from 'pg';
import { settleAll } from '../../async/batches.ts';
import type { Executor } from '../executor.ts';
import { columnsOf, TABLES, type TableName } from '../schema.ts';

/** Rows per statement: enough to forget the round trip, few enough to keep the message small. */
const CHUNK = 5_000;

/** Sends rows as one array per column. */
export function createPostgresExecutor(client: ClientBase): Executor {
  let last: Promise<unknown> = Promise.resolve();
  /** A client takes one query at a time; those that come meanwhile wait here. */
  const query = (text: string, params: unknown[]): Promise<QueryResult> => {
    const result = last.then(() => client.query(text, params));
    last = result.catch(() => undefined);
    return result;
  };

  async function send(text: string, columns: readonly unknown[][]): Promise<object[]> {
    const rows = columns[0]?.length ?? 0;
    const answers: Promise<QueryResult>[] = [];
    // All of it before what is asked for next: rows that are removed may be written anew right after.
    for (let start = 0; start < rows; start += CHUNK) {
      const chunk = rows <= CHUNK ? columns : columns.map((column) => column.slice(start, start + CHUNK));
      answers.push(query(text, [...chunk]));
    }
    return (await settleAll(answers)).flatMap((answer) => answer.rows);
  }
  return {
    run: async (text, params) => (await query(text, [...params])).rows,
    select: send,
    async write(text, columns) {
      await send(text, columns);
    },
    async insertNew(text, table, columns) {
      const added = await send(text, columns);
      const given = Array.from({ length: columns[0]?.length ?? 0 }, (_, i) => i);
      if (added.length === given.length) return given;
      const names = new Set(added.map((key) => JSON.stringify(Object.values(key))));
      const keyColumns = keyPositions(table).map((position) => columns[position] ?? []);
      // Each name is taken once: of two equal rows, the first was inserted.
      return given.filter((i) => names.delete(JSON.stringify(keyColumns.map((column) => column[i]))));
    },
  };
}

/** Where the columns of a table's key stand among its columns. */
function keyPositions(table: TableName): number[] {
  const columns = columnsOf(table);
  return TABLES[table].key.map((column) => columns.indexOf(column));
}
