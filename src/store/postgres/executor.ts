import type { ClientBase, QueryResult } from 'pg';
import { settleAll } from '../../async/settle-all.ts';
import type { Executor } from '../executor.ts';
import { copyRows, encodeRows } from './copy.ts';
import { withUnavailable } from './errors.ts';

/** Rows per statement: enough to make the round trip negligible, few enough to keep messages small. */
const CHUNK = 5_000;
/** Fewer rows are inserted without COPY, which waits for the server before it sends them. */
const MIN_COPIED = 100;

/** Sends rows as one array parameter per column, or with COPY. */
export function createPostgresExecutor(client: ClientBase): Executor {
  let last: Promise<unknown> = Promise.resolve();
  /** Queues queries, because a client runs one at a time. */
  const queue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(() => withUnavailable(work));
    last = result.catch(() => undefined);
    return result;
  };
  const query = (text: string, params: unknown[]) => queue<QueryResult>(() => client.query(text, params));

  return {
    run: async (text, params) => (await query(text, [...params])).rows,
    async runBulk({ text, copy }, columns) {
      const rows = columns[0]?.length ?? 0;
      if (copy !== undefined && rows >= MIN_COPIED) {
        const copied: Promise<void>[] = [];
        for (let start = 0; start < rows; start += CHUNK) {
          const end = Math.min(rows, start + CHUNK);
          // Encoded in its turn, so that the text of one chunk is in memory.
          copied.push(queue(() => copyRows(client, copy.text, encodeRows(copy.kinds, columns, start, end))));
        }
        await settleAll(copied);
        return [];
      }
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
