import type { ClientBase, QueryResult } from 'pg';
import { settleAll } from '../../async/settle-all.ts';
import type { Executor } from '../executor.ts';
import { columnsOf, TABLES } from '../schema.ts';
import { withUnavailable } from './errors.ts';

/** Rows per statement: enough to make the round trip negligible, few enough to keep messages small. */
const CHUNK = 5_000;

/** Sends rows as one array parameter per column. */
export function createPostgresExecutor(client: ClientBase): Executor {
  let last: Promise<unknown> = Promise.resolve();
  /** Queues queries, because a client runs one at a time. */
  const query = (text: string, params: unknown[]): Promise<QueryResult> => {
    const result = last.then(() => withUnavailable(() => client.query(text, params)));
    last = result.catch(() => undefined);
    return result;
  };

  async function send(text: string, columns: readonly unknown[][]): Promise<object[]> {
    const rows = columns[0]?.length ?? 0;
    const results: Promise<QueryResult>[] = [];
    // Queue all chunks at once, so that they run before the caller's next statement.
    for (let start = 0; start < rows; start += CHUNK) {
      const chunk = rows <= CHUNK ? columns : columns.map((column) => column.slice(start, start + CHUNK));
      results.push(query(text, [...chunk]));
    }
    return (await settleAll(results)).flatMap((result) => result.rows);
  }
  return {
    run: async (text, params) => (await query(text, [...params])).rows,
    select: send,
    async write({ text }, columns) {
      await send(text, columns);
    },
    async insertNew({ text }, table, columns) {
      const inserted = await send(text, columns);
      const positions = Array.from({ length: columns[0]?.length ?? 0 }, (_, i) => i);
      if (inserted.length === positions.length) return positions;
      const keys = new Set(inserted.map((key) => JSON.stringify(Object.values(key))));
      const names = columnsOf(table);
      const keyColumns = TABLES[table].key.map((name) => columns[names.indexOf(name)] ?? []);
      // Delete each key when it is found: of two rows with the same key, the first was inserted.
      return positions.filter((i) => keys.delete(JSON.stringify(keyColumns.map((column) => column[i]))));
    },
  };
}
