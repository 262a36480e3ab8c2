import Database from 'better-sqlite3';
import type { Executor } from '../executor.ts';
import { createCheckpoint } from './checkpoint.ts';
import { createSqliteExecutor, toExecutor } from './executor.ts';

/** How long `begin immediate` waits for the write lock: importing a large file takes a while. */
export const WRITE_LOCK_WAIT_MS = 60_000;

/** Writes touch pages all over the indexes, many of them again soon. */
const WRITER_CACHE_KIB = 64 * 1024;

/** The connection that writes. */
export interface SqliteWriter {
  readonly executor: Executor;
  /** Checkpoints the WAL if it is large. Called after every commit. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

export function openWriterDatabase(path: string): Database.Database {
  const db = new Database(path, { timeout: WRITE_LOCK_WAIT_MS });
  db.pragma('journal_mode = WAL');
  // A crash of the process loses nothing. A power failure can lose the last commits, but data and cursors together.
  db.pragma('synchronous = NORMAL');
  db.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
  db.pragma('wal_autocheckpoint = 0');
  return db;
}

/** Writes in the calling thread, and blocks its event loop meanwhile. */
export function createInlineWriter(db: Database.Database): SqliteWriter {
  const { executor, checkpoint, close } = createSyncWriter(db);
  return { executor: toExecutor(executor), checkpoint: async () => checkpoint(), close: async () => close() };
}

export function createSyncWriter(db: Database.Database) {
  return { executor: createSqliteExecutor(db), checkpoint: createCheckpoint(db), close: () => void db.close() };
}
