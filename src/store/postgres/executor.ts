import type { ClientBase, QueryResult } from 'pg';
import { settleAll } from '../../async/settle-all.ts';
import type { Executor } from '../executor.ts';
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

  return {
    run: async (text, params) => (await query(text, [...params])).rows,
    async runBulk({ text }, columns) {
      const rows = columns[0]?.length ?? 0;
      const results: Promise<QueryResult>[] = [];
      // Queue all chunks at once, so that they run before the caller's next statement.
      for (let start = 0; start < rows; start += CHUNK) {
        const chunk = rows <= CHUNK ? columns : columns.map((column) => column.slice(start, start + CHUNK));
        results.push(query(text, [...chunk]));
      }
      return (await settleAll(results)).flatMap((result) => result.rows);
    },
  };
}
