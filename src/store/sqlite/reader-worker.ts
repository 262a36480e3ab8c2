import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { answerCalls } from '../../async/worker-calls.ts';
import { takeChunk } from '../take-rows.ts';
import { createPrepare } from './executor.ts';

// The worker of `createReaderThread`. Safe: that function passes the path.
const { path } = workerData as { path: string };
/** Long queries read ranges once, so a larger cache would hold pages that are not read again. */
const CACHE_KIB = 8 * 1024;

/** Runs one query at a time: a statement that is opened beside another one reads the snapshot of the older one. */
type Connection = ReturnType<typeof createPrepare>;

const idle: Connection[] = [];
const snapshots = new Map<number, Connection>();
const queries = new Map<number, Query>();

interface Query {
  readonly connection: Connection;
  /** Whether the connection is that of a snapshot, which goes on. */
  readonly isInSnapshot: boolean;
  readonly names: readonly string[];
  readonly rows: Iterator<unknown[]>;
}

const methods = {
  /** Runs a query under an id that the caller chooses, and returns its first rows. */
  open(id: number, text: string, values: readonly unknown[], snapshot: number | null) {
    const held = snapshot === null ? undefined : snapshots.get(snapshot);
    if (snapshot !== null && held === undefined) throw new Error('the snapshot has ended');
    const connection = held ?? idle.pop() ?? connect();
    const isInSnapshot = held !== undefined;
    try {
      const { statement, names } = connection(text);
      queries.set(id, { connection, isInSnapshot, names, rows: statement.iterate(...values) });
    } catch (error) {
      if (!isInSnapshot) idle.push(connection);
      throw error;
    }
    return next(id);
  },
  /** The next rows of an open query. */
  take: next,
  close: end,
  /** Begins a snapshot under an id that the caller chooses. Its queries run one after another. */
  begin(id: number) {
    const connection = idle.pop() ?? connect();
    connection('begin').statement.run();
    snapshots.set(id, connection);
  },
  commit(id: number) {
    const connection = snapshots.get(id);
    if (connection === undefined) return;
    snapshots.delete(id);
    connection('commit').statement.run();
    idle.push(connection);
  },
};

export type ReaderMethods = typeof methods;

answerCalls(() => methods);

/** `isLast` if the query has ended, which closes it. */
function next(id: number) {
  const query = queries.get(id);
  if (query === undefined) throw new Error('the query is not open');
  const chunk = takeChunk(query.rows, (row) => row);
  if (chunk.isLast) end(id);
  return { names: query.names, ...chunk };
}

function end(id: number): void {
  const query = queries.get(id);
  if (query === undefined) return;
  queries.delete(id);
  query.rows.return?.();
  if (!query.isInSnapshot) idle.push(query.connection);
}

/** Called by the first query, so that a failure is its reply. */
function connect(): Connection {
  const db = new Database(path, { readonly: true });
  db.pragma(`cache_size = -${CACHE_KIB}`);
  return createPrepare(db);
}
