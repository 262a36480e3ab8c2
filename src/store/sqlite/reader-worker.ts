import { workerData } from 'node:worker_threads';
import Database, { type Statement } from 'better-sqlite3';
import { answerCalls } from '../../async/worker-calls.ts';
import { columnNames, type Rows } from './executor.ts';
import type { ReaderMethods } from './reader-thread.ts';

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
  readonly names: string[];
  readonly rows: IterableIterator<unknown[]>;
}

let db: Database.Database | undefined;
const statements = new Map<string, Prepared>();
const queries = new Map<number, OpenQuery>();

answerCalls<ReaderMethods>({
  read(text, values) {
    let prepared = statements.get(text);
    if (prepared === undefined) statements.set(text, (prepared = prepare(text)));
    return { names: prepared.names, rows: prepared.statement.all(...values) };
  },
  open(id, text, values) {
    // Prepared for each query: a statement cannot run twice at once.
    const { statement, names } = prepare(text);
    queries.set(id, { names, rows: statement.iterate(...values) });
  },
  take(id) {
    const query = queries.get(id);
    if (query === undefined) throw new Error('the query was lost with its thread');
    const chunk = takeChunk(query);
    if (chunk.rows.length === 0) queries.delete(id);
    return chunk;
  },
  close(id) {
    queries.get(id)?.rows.return?.();
    queries.delete(id);
  },
});

function takeChunk({ names, rows }: OpenQuery): Rows {
  const taken: unknown[][] = [];
  let length = 0;
  while (length < CHUNK_LENGTH) {
    const { done, value } = rows.next();
    if (done) break;
    taken.push(value);
    for (const cell of value) length += typeof cell === 'string' ? cell.length : 8;
  }
  return { names, rows: taken };
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
