import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';

interface CheckpointLimits {
  /** WAL pages from which a checkpoint runs. A larger checkpoint would delay the next block and save nothing. */
  readonly start: number;
  /** WAL pages from which the checkpoint waits for readers: overlapping reads keep the WAL from being reset. */
  readonly block: number;
  /** How long it waits for them. */
  readonly waitMs: number;
}

/** 16 MiB and 256 MiB. */
const LIMITS: CheckpointLimits = { start: 4_096, block: 65_536, waitMs: 250 };

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
