import type { Database } from 'better-sqlite3';

interface CheckpointLimits {
  /** Pages that are worth copying. More would keep a block waiting that comes meanwhile, and save nothing. */
  readonly enough: number;
  /** So many there are when readers, never all away at once, keep the file from being begun anew: then we wait for them. */
  readonly many: number;
  readonly waitMs: number;
}

/** 16 MiB and 256 MiB. */
const LIMITS: CheckpointLimits = { enough: 4_096, many: 65_536, waitMs: 250 };

interface Progress {
  readonly busy: number;
  /** Pages of the write-ahead log. */
  readonly log: number;
}

/**
 * Copies what has been committed from the write-ahead log into the database when there is enough of it. SQLite would by
 * itself, but within a commit that somebody waits for. Throws when the log grows all the same.
 */
export function createCheckpoint(db: Database, { enough, many, waitMs } = LIMITS): () => void {
  const checkpoint = (mode: 'noop' | 'passive' | 'truncate') =>
    // Safe: the pragma gives one such row.
    (db.pragma(`wal_checkpoint(${mode})`) as [Progress])[0];
  // Safe: the pragma gives a number.
  const lockWait = db.pragma('busy_timeout', { simple: true }) as number;
  let [waitFrom, tellFrom] = [many, 2 * many];
  return () => {
    const { log } = checkpoint('noop');
    if (log < enough) return;
    checkpoint('passive');
    if (log < many) [waitFrom, tellFrom] = [many, 2 * many];
    if (log < waitFrom) return;
    db.pragma(`busy_timeout = ${waitMs}`);
    try {
      if (checkpoint('truncate').busy === 0) return;
    } finally {
      db.pragma(`busy_timeout = ${lockWait}`);
    }
    // Not with every commit: who writes little would spend its time waiting.
    waitFrom = log + enough;
    if (log < tellFrom) return;
    tellFrom = 2 * log;
    throw new Error(`the write-ahead log has grown to ${log} pages: some process reads without an end`);
  };
}
