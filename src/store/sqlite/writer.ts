import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { createWorkerClient, type WorkerClient } from '../../async/worker-calls.ts';
import { createSqliteExecutor, toExecutor } from './executor.ts';

/** How long `begin immediate` waits for the write lock: importing a large file takes a while. */
export const WRITE_LOCK_WAIT_MS = 60_000;

/** Writes touch pages all over the indexes, many of them again soon. */
const WRITER_CACHE_KIB = 64 * 1024;

/** The connection that writes. */
export type SqliteWriter = ReturnType<typeof openWriterThread>;

type WriterMethods = ReturnType<typeof createWriterMethods>;
type Call = WorkerClient<WriterMethods>['call'];

export function openWriterDatabase(path: string): Database.Database {
  const db = new Database(path, { timeout: WRITE_LOCK_WAIT_MS });
  db.pragma('journal_mode = WAL');
  // A crash of the process loses nothing. A power failure can lose the last commits, but data and cursors together.
  db.pragma('synchronous = NORMAL');
  db.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
  db.pragma('wal_autocheckpoint = 0');
  return db;
}

/** Of the thread of the connection. */
export function createWriterMethods(db: Database.Database) {
  return { ...createSqliteExecutor(db), checkpoint: createCheckpoint(db) };
}

/** Writes in the calling thread, and blocks its event loop meanwhile. */
export function createInlineWriter(db: Database.Database): SqliteWriter {
  const methods = createWriterMethods(db);
  // Safe: the arguments are those of the method.
  const call: Call = async (method, ...args) => (methods[method] as (...given: unknown[]) => never)(...args);
  return { executor: toExecutor(call), checkpoint: () => call('checkpoint'), close: async () => void db.close() };
}

/** Writes in a worker thread, started by the first write, so that the event loop is not blocked. */
export function openWriterThread(path: string) {
  let client: WorkerClient<WriterMethods> | undefined;
  const call: Call = async (...args) => {
    // What a thread had not committed when it exited is rolled back, and the rest of that transaction is rejected.
    if (client === undefined || client.hasExited()) {
      const worker = new Worker(new URL('./writer-worker.js', import.meta.url), { workerData: { path } });
      client = createWorkerClient<WriterMethods>(worker, 'the database writer thread');
    }
    return client.call(...args);
  };
  return {
    executor: toExecutor(call),
    /** Checkpoints the WAL if it is large. Called after every commit. */
    checkpoint: () => call('checkpoint'),
    /** The driver closes the connections of a thread that ends. */
    close: async () => client?.stop(),
  };
}

const LIMITS = {
  /** WAL pages from which a checkpoint runs, 16 MiB. A larger checkpoint would delay the next block and save nothing. */
  start: 4_096,
  /** WAL pages from which the checkpoint waits for readers, 256 MiB: overlapping reads keep the WAL from being reset. */
  block: 65_536,
  /** How long it waits for them. */
  waitMs: 250,
};

/**
 * Checkpoints the WAL once it is large enough. Runs between transactions, because SQLite's automatic checkpoint would run
 * inside a commit. Throws if a reader keeps the WAL growing: at twice the `block` limit, and whenever it doubles again.
 */
export function createCheckpoint(db: Database.Database, { start, block, waitMs } = LIMITS): () => void {
  const checkpoint = (mode: 'noop' | 'passive' | 'truncate') =>
    // Safe: the pragma returns one such row. `log` is the number of pages in the WAL.
    (db.pragma(`wal_checkpoint(${mode})`) as [{ busy: number; log: number }])[0];
  // Safe: the pragma returns a number.
  const busyTimeout = db.pragma('busy_timeout', { simple: true }) as number;
  let [blockFrom, throwFrom] = [block, 2 * block];
  return () => {
    const { log } = checkpoint('noop');
    if (log < start) return;
    checkpoint('passive');
    if (log < block) [blockFrom, throwFrom] = [block, 2 * block];
    if (log < blockFrom) return;
    db.pragma(`busy_timeout = ${waitMs}`);
    try {
      if (checkpoint('truncate').busy === 0) return;
    } finally {
      db.pragma(`busy_timeout = ${busyTimeout}`);
    }
    // Do not wait after every commit: a process with small commits would spend its time waiting.
    blockFrom = log + start;
    if (log < throwFrom) return;
    throwFrom = 2 * log;
    throw new Error(
      `the write-ahead log has grown to ${log} pages: a process has had a read transaction open for long`,
    );
  };
}

/**
 * Leaves all data in the database file if no other process has it open. SQLite moves the WAL into the file and deletes
 * it when the last connection is closed, but not if that connection is read-only, like those of a process that serves.
 */
export function checkpointLast(path: string, onError: (error: Error) => void): void {
  // It was deleted, which is reported while the database is open.
  if (!existsSync(path)) return;
  try {
    const db = new Database(path, { fileMustExist: true });
    try {
      // Opens the WAL, which would not be closed otherwise.
      db.pragma('schema_version');
    } finally {
      db.close();
    }
  } catch (error) {
    // For example a read-only file. Nothing is lost: the WAL is read again at the next start.
    onError(new Error(`${path}: the write-ahead log could not be moved into the database file`, { cause: error }));
  }
}
