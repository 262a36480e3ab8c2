import { workerData } from 'node:worker_threads';
import Database, { type Statement } from 'better-sqlite3';
import { columnNames } from './executor.ts';
import type { HeavyMethods } from './heavy-reader.ts';
import { answerCalls } from './worker-calls.ts';

// The worker of `createHeavyReader`. Safe: that function passes the path.
const { path } = workerData as { path: string };
/** Long queries read ranges once, so a larger cache would hold pages that are not read again. */
const CACHE_KIB = 8 * 1024;

let db: Database.Database | undefined;
const statements = new Map<string, { statement: Statement<unknown[], unknown[]>; names: string[] }>();

answerCalls<HeavyMethods>({
  read(text, values) {
    const { statement, names } = statements.get(text) ?? prepare(text);
    return { names, rows: statement.all(...values) };
  },
});

/** The database is opened by the first query, so that a failure is its reply. */
function prepare(text: string) {
  if (db === undefined) {
    db = new Database(path, { readonly: true });
    db.pragma(`cache_size = -${CACHE_KIB}`);
  }
  const statement = db.prepare<unknown[], unknown[]>(text).raw();
  const prepared = { statement, names: columnNames(statement) };
  statements.set(text, prepared);
  return prepared;
}
