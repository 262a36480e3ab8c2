import type { Compilable } from 'kysely';
import { OperatorError } from '../errors/operator-error.ts';
import type { Dialect } from './dialect.ts';
import type { ReadBuilder, WriteBuilder } from './query-builder.ts';
import type { Column, Row, TableName } from './schema.ts';
import type { IndexedMember } from './search-index.ts';
import type { StateKey } from './state-keys.ts';
import type { Statement } from './statement.ts';

type BuildQuery<R> = (db: ReadBuilder) => Compilable<R>;

/** Compiles and prepares each statement once, and runs it in one round trip. */
export interface Reader {
  readonly dialect: Dialect;
  all<P extends object, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
}

/** For results of any length. */
export interface StreamReader {
  /** The rows of one snapshot, in chunks that are read as they are taken. Ending the generator frees its resources. */
  stream<P extends object, R>(statement: Statement<P, R>, params: P): AsyncGenerator<R[]>;
}

/** At most this many streams are open at once. */
export const MAX_STREAMS = 8;

/** A write transaction. Every method takes many rows, because each call is a round trip on PostgreSQL. */
export interface Transaction extends Reader {
  /** The rows whose columns `by` equal one of `keys`. */
  read<T extends TableName>(table: T, by: readonly Column<T>[], keys: readonly unknown[][]): Promise<Row<T>[]>;
  /** The rows whose column equals one of `values`. */
  readBy<T extends TableName>(table: T, column: Column<T>, values: readonly unknown[]): Promise<Row<T>[]>;
  /** Fails if a row exists. */
  insert<T extends TableName>(table: T, rows: readonly Row<T>[]): Promise<void>;
  /** Skips rows that exist, and returns those that were inserted. */
  insertNew<T extends TableName>(table: T, rows: readonly Row<T>[]): Promise<Row<T>[]>;
  upsert<T extends TableName>(table: T, rows: readonly Row<T>[]): Promise<void>;
  /** Updates the columns `set` of the rows with the given primary keys. */
  patch<T extends TableName, C extends Column<T>>(
    table: T,
    set: readonly C[],
    rows: readonly Partial<Row<T>>[],
  ): Promise<void>;
  /** Deletes the rows with the given primary keys. */
  remove<T extends TableName>(table: T, rows: readonly Partial<Row<T>>[]): Promise<void>;
  /** Updates the search index of the leaderboard. */
  indexGrams(
    removed: readonly IndexedMember[],
    /** Grams are separated by spaces. */
    added: readonly (IndexedMember & { readonly grams: string })[],
  ): Promise<void>;
  /** Merges segments of the search index, writing about `pages` pages at most. `all` rewrites the whole index. */
  mergeGrams(pages: number, all: boolean): Promise<void>;
  /** Drops the indexes of tables, runs `work`, and creates them again. Keeps them if dropping would block readers. */
  withoutIndexes<T>(tables: readonly TableName[], work: () => Promise<T>): Promise<T>;
  /** Adds to values of `state`. */
  count(deltas: Partial<Record<StateKey, number>>): Promise<void>;
  /** Raises the data version with this commit, which invalidates cached responses. */
  raiseVersion(): Promise<void>;
  query<R>(build: BuildQuery<R>): Promise<R[]>;
  execute(build: (db: WriteBuilder) => Compilable): Promise<void>;
}

/** A cached response is valid while the data version is the one that it was computed from. */
export interface DataVersion {
  /** Null while the version is unknown: then no cached response is valid. */
  current(): number | null;
}

/** Ensures that only one process indexes. */
export interface IndexerLock {
  /** Acquires or renews the lock; false if another process holds it. */
  hold(): Promise<boolean>;
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

export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly reader: Reader;
  /** For queries that may take long: SQLite runs them in a worker thread, PostgreSQL on the same pool. */
  readonly heavy: {
    readonly reader: Reader;
    /** How many may be sent at once. */
    readonly concurrency: number;
  };
  readonly streams: StreamReader;
  readonly version: DataVersion;
  /** Commits if `work` resolves and rolls back if it rejects. Write transactions of all processes are serialised. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  createIndexerLock(now: () => number): IndexerLock;
  readSize(): Promise<StoreSize>;
  /** Null on SQLite, which has no pool. */
  readonly poolUsage: (() => PoolUsage) | null;
  close(): Promise<void>;
}

/** The database cannot be reached or is locked. A retry may succeed. */
export class StoreUnavailableError extends OperatorError {
  readonly code = 'E_DATABASE_UNAVAILABLE';
}

/** More queries wait for a connection than the database can answer soon. */
export class StoreOverloadedError extends Error {
  override name = 'StoreOverloadedError';
}

/** A page of the database file is damaged, or the file is no database. */
export class CorruptDatabaseError extends OperatorError {
  readonly code = 'E_DATABASE_CORRUPT';
}
