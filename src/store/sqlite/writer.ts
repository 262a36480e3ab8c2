import Database from 'better-sqlite3';
import type { Executor } from '../executor.ts';
import { createCheckpoint } from './checkpoint.ts';
import { createSqliteExecutor, toExecutor } from './executor.ts';

/** How long a writer waits for another process's transaction: an import of a large file takes a while. */
export const WRITE_LOCK_WAIT_MS = 60_000;

/** Rows are written all over the indexes: pages that are touched again soon should still be in memory. */
const WRITER_CACHE_KIB = 256 * 1024;

/** The connection that writes. */
export interface SqliteWriter {
  readonly executor: Executor;
  /** To be called after every commit, when nobody waits for it any more. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

export function openWriterDatabase(path: string): Database.Database {
  const db = new Database(path, { timeout: WRITE_LOCK_WAIT_MS });
  db.pragma('journal_mode = WAL');
  // A crash of the process loses nothing; a power cut at worst the last commits, cursor and data alike.
  db.pragma('synchronous = NORMAL');
  db.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
  db.pragma('wal_autocheckpoint = 0');
  return db;
}

/** Writes in this thread: whoever waits for a write keeps everybody else waiting. */
export function createWriterHere(db: Database.Database): SqliteWriter {
  const { executor, checkpoint, close } = createDirectWriter(db);
  return { executor: toExecutor(executor), checkpoint: async () => checkpoint(), close: async () => close() };
}

/** The same for the thread that the connection is in: nothing is waited for, and rows are as the driver gives them. */
export function createDirectWriter(db: Database.Database) {
  return { executor: createSqliteExecutor(db), checkpoint: createCheckpoint(db), close: () => void db.close() };
}
