import type { MonotonicMs } from '../async/unix-time.ts';
import { type ErrorCode, OperatorError } from '../errors/operator-error.ts';
import type { createReader, createSnapshotReader, createStreamReader } from './statement.ts';
import type { createTransaction } from './transaction.ts';
import type { DataVersion } from './versions.ts';

/** Runs each statement in one round trip. */
export type Reader = ReturnType<typeof createReader>;

/** For results of any length. */
export type StreamReader = ReturnType<typeof createStreamReader>;

export type SnapshotReader = ReturnType<typeof createSnapshotReader>;

/** At most this many streams are open at once: none waits for a client, so that more would not be faster. */
export const MAX_STREAMS = 4;

/**
 * A write transaction. Every method takes many rows, because each call is a round trip on PostgreSQL. The commit raises the
 * versions of the sources whose rows were written, see `TABLES`, which ends the cached answers that depend on them: in this
 * process at once.
 */
export type Transaction = ReturnType<typeof createTransaction>;

/** Ensures that only one process indexes. */
export interface IndexerLock {
  /** Acquires or renews the lock; false if another process holds it. */
  hold(): Promise<boolean>;
  /** Acquires the lock, also that of a process that was killed a moment ago; false if another one holds it. */
  acquire(): Promise<boolean>;
  /** Renews the lock. Throws a `LockLostError` unless it was held since `hold`, on the same connection. */
  keep(): Promise<void>;
  /** Throws a `LockLostError` inside a transaction if another process has taken the lock; renews it otherwise. */
  fence(tx: Transaction): Promise<void>;
  release(): Promise<void>;
}

/** Bytes on disk. */
export interface StoreSize {
  readonly database: number;
  /** Of the write-ahead log; null on PostgreSQL, whose log belongs to the server. */
  readonly wal: number | null;
}

/** The PostgreSQL connections for lookups. */
interface PoolUsage {
  readonly used: number;
  readonly idle: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
}

/** Why the database cannot be written, or not be read completely. */
export interface DatabaseFault {
  readonly code: ErrorCode;
  /** Includes what to do about it. */
  readonly message: string;
}

export interface OpenOptions {
  /** Called when an outage of the database begins or a damaged page is read, and with errors of background work, which reject no promise. */
  readonly onError: (error: Error) => void;
  /** Called when an outage has ended. */
  readonly onRecovered?: () => void;
  /** What messages to other processes call this one, such as `kith import`. */
  readonly name?: string;
  /** Whether SQLite writes run in a worker thread. */
  readonly threads?: boolean;
  /** Fails with `E_NO_DATABASE` instead of creating the database. */
  readonly mustExist?: boolean;
}

export interface TransactionOptions {
  /** For work that cannot run again, because it takes its input from a stream. Other work runs again after a deadlock. */
  readonly once?: boolean;
}

export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly reader: Reader;
  /** The same for pages, most of which are short: rejects a long one with a `LongResultError`, and `heavy.reader` reads it. */
  readonly short: Reader;
  /** For queries that may take long: SQLite runs them in a worker thread, PostgreSQL on the same pool. */
  readonly heavy: {
    readonly reader: Reader;
    /** How many may be sent at once. */
    readonly concurrency: number;
  };
  readonly streams: StreamReader;
  /** Where `heavy` reads. */
  readonly snapshots: SnapshotReader;
  readonly version: DataVersion;
  /** Commits if `work` resolves and rolls back if it rejects. Write transactions of all processes are serialised. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  createIndexerLock(monotonic: () => MonotonicMs): IndexerLock;
  readSize(): Promise<StoreSize>;
  /** What this process has met, or sees without a write; null if there is nothing. */
  readFault(): Promise<DatabaseFault | null>;
  /** Null on SQLite, which has no pool. */
  readonly poolUsage: (() => PoolUsage) | null;
  close(): Promise<void>;
}

/** The database cannot be reached or is locked. A retry may succeed. */
export class StoreUnavailableError extends OperatorError {
  readonly code: ErrorCode = 'E_DATABASE_UNAVAILABLE';
}

/** The server answers, but is no primary now, as during a failover. It may become one without a change of the settings. */
export class NoPrimaryError extends StoreUnavailableError {
  override readonly code: ErrorCode;

  constructor(code: 'E_READ_ONLY_DATABASE' | 'E_DATABASE_RESTARTING', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A result is longer than a short reader reads. */
export class LongResultError extends Error {
  override name = 'LongResultError';
}

/** More queries wait for a connection than the database can answer soon. */
export class StoreOverloadedError extends Error {
  override name = 'StoreOverloadedError';
}

/** A page of the database file is damaged, or the file is no database. */
export class CorruptDatabaseError extends OperatorError {
  readonly code = 'E_DATABASE_CORRUPT';
}
