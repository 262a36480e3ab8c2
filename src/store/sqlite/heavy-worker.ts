import { parentPort, workerData } from 'node:worker_threads';
import Database, { type Statement } from 'better-sqlite3';
import { columnNames } from './executor.ts';
import type { HeavyQuery, HeavyReply } from './heavy-reader.ts';

// The worker of `createHeavyReader`. It runs queries in the order in which they were sent.
const port = parentPort;
if (port === null) throw new Error('this file must run as a worker thread');
// Safe: `createHeavyReader` passes it.
const { path } = workerData as { path: string };
/** Long queries read ranges once, so a larger cache would hold pages that are not read again. */
const CACHE_KIB = 8 * 1024;

let db: Database.Database | undefined;
const statements = new Map<string, { statement: Statement<unknown[], unknown[]>; names: string[] }>();
port.on('message', (query: HeavyQuery) => port.postMessage(answer(query)));

function answer({ id, text, values }: HeavyQuery): HeavyReply {
  try {
    const { statement, names } = statements.get(text) ?? prepare(text);
    return { id, found: { names, rows: statement.all(...values) } };
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    return { id, error: { message, code } };
  }
}

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
