import { workerData } from 'node:worker_threads';
import Database, { type Statement } from 'better-sqlite3';
import { answerCalls } from '../../async/worker-calls.ts';
import { columnNames } from './executor.ts';
import type { Chunk, ReaderMethods } from './reader-thread.ts';

// The worker of `createReaderThread`. Safe: that function passes the path.
const { path } = workerData as { path: string };
/** Long queries read ranges once, so a larger cache would hold pages that are not read again. */
const CACHE_KIB = 8 * 1024;
/** A chunk ends when its texts have this length, which takes about a millisecond to send and to serialise. */
const CHUNK_LENGTH = 64 * 1024;

interface Prepared {
  readonly statement: Statement<unknown[], unknown[]>;
  readonly names: string[];
}

interface OpenQuery {
  readonly text: string;
  readonly prepared: Prepared;
  readonly rows: IterableIterator<unknown[]>;
}

let db: Database.Database | undefined;
/** Statements that do not run, by text: one cannot run twice at once. */
const idle = new Map<string, Prepared[]>();
const queries = new Map<number, OpenQuery>();

answerCalls<ReaderMethods>({
  read(text, values) {
    const prepared = take(text);
    const rows = prepared.statement.all(...values);
    release(text, prepared);
    return { names: prepared.names, rows };
  },
  open(id, text, values) {
    const prepared = take(text);
    queries.set(id, { text, prepared, rows: prepared.statement.iterate(...values) });
    return takeChunk(id);
  },
  take: takeChunk,
  close: end,
});

function takeChunk(id: number): Chunk {
  const query = queries.get(id);
  if (query === undefined) throw new Error('the query was lost with its thread');
  const rows: unknown[][] = [];
  let [length, isLast] = [0, false];
  while (length < CHUNK_LENGTH) {
    const { done, value } = query.rows.next();
    if (done) {
      isLast = true;
      end(id);
      break;
    }
    rows.push(value);
    for (const cell of value) length += typeof cell === 'string' ? cell.length : 8;
  }
  return { names: query.prepared.names, rows, isLast };
}

function end(id: number): void {
  const query = queries.get(id);
  if (query === undefined) return;
  queries.delete(id);
  query.rows.return?.();
  release(query.text, query.prepared);
}

function take(text: string): Prepared {
  return idle.get(text)?.pop() ?? prepare(text);
}

function release(text: string, prepared: Prepared): void {
  const others = idle.get(text);
  if (others === undefined) idle.set(text, [prepared]);
  else others.push(prepared);
}

/** The database is opened by the first query, so that a failure is its reply. */
function prepare(text: string): Prepared {
  if (db === undefined) {
    db = new Database(path, { readonly: true });
    db.pragma(`cache_size = -${CACHE_KIB}`);
  }
  const statement = db.prepare<unknown[], unknown[]>(text).raw();
  return { statement, names: columnNames(statement) };
}
