import type { Compilable, Kysely } from 'kysely';
import { OperatorError } from '../protocol/operator-error.ts';
import type { Dialect } from './dialect.ts';
import type { Column, Row, StateKey, TableName, Tables } from './schema.ts';

/** What a query is built with: it can select and nothing else. */
export type ReadBuilder = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'with'>;
/** What a statement inside a write transaction is built with. */
export type WriteBuilder = Pick<Kysely<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'>;

export type BuildQuery<R> = (db: ReadBuilder) => Compilable<R>;
export type Query<P, R> = (params: P) => Promise<R[]>;

/** Prepares queries once; each call is then one round trip. Parameters are bound by name (see `param`). */
export interface Reader {
  readonly dialect: Dialect;
  prepare<P, R>(build: BuildQuery<R>): Query<P, R>;
  /** The first column alone: entries that are stored as they are answered need no row around them. */
  prepareColumn<P, V>(build: BuildQuery<Record<string, V>>): Query<P, V>;
  /** Runs `work`; the questions that it puts at once, and the data version, share what each would pay for alone. */
  inSnapshot(work: () => void): void;
  /** Null where the database is a network away. */
  readonly direct: DirectReader | null;
}

/** Reads without a wait, so that a question can depend on what another has found. */
export interface DirectReader {
  prepareColumn<P, V>(build: BuildQuery<Record<string, V>>): (params: P) => V[];
  /** Runs `work`, which sees one state of the database, with a number that is another one after any commit. */
  during<T>(work: (moment: unknown) => T): T;
}

/** The grams of the accounts at one place of the leaderboard. */
export interface PlacedGrams {
  readonly place: number;
  readonly grams: string;
}

/** A write transaction. Every call takes many rows, for an engine may be a network away. */
export interface Transaction {
  readonly dialect: Dialect;
  /** The rows whose columns `by` equal one of `keys`. */
  read<T extends TableName>(table: T, by: readonly Column<T>[], keys: readonly unknown[][]): Promise<Row<T>[]>;
  /** Inserts rows that are known not to be there. */
  insert<T extends TableName>(table: T, rows: readonly Row<T>[]): Promise<void>;
  /** Inserts and tells which rows were not there before. */
  insertNew<T extends TableName>(table: T, rows: readonly Row<T>[]): Promise<Row<T>[]>;
  upsert<T extends TableName>(table: T, rows: readonly Row<T>[]): Promise<void>;
  /** Changes the columns `set` of rows named by their keys. */
  patch<T extends TableName, C extends Column<T>>(
    table: T,
    set: readonly C[],
    rows: readonly Partial<Row<T>>[],
  ): Promise<void>;
  /** Deletes rows named by their keys. */
  remove<T extends TableName>(table: T, rows: readonly Partial<Row<T>>[]): Promise<void>;
  /** Changes what the leaderboard is searched by: the grams of places, as a text, before and after. */
  indexGrams(gone: readonly PlacedGrams[], come: readonly PlacedGrams[]): Promise<void>;
  /** Makes searching quick again after that, writing some `pages` at most. Merging `all` rewrites the whole index. */
  mergeGrams(pages: number, all: boolean): Promise<void>;
  /** Does bulk work without the tables' indexes, where that does not keep readers waiting, and makes them again. */
  withoutIndexes<T>(tables: readonly TableName[], work: () => Promise<T>): Promise<T>;
  /** Adds to numbers of the database's state. */
  count(deltas: Partial<Record<StateKey, number>>): Promise<void>;
  /** Raises the data version with this commit: answers made before it no longer stand. */
  raiseVersion(): Promise<void>;
  query<R>(build: BuildQuery<R>): Promise<R[]>;
  execute(build: (db: WriteBuilder) => Compilable): Promise<void>;
}

/** The number that tells whether an answer made earlier still stands. */
export interface DataVersion {
  /** Null while it cannot be known: then nothing made earlier counts. */
  current(): number | null;
}

/** Sees to it that one process indexes at a time. */
export interface IndexerLock {
  /** Tries to take the lock, or to keep it; false when somebody else has it. */
  hold(): Promise<boolean>;
  /** Throws, inside a transaction, when the lock has passed to somebody else; keeps it for longer if not. */
  fence(tx: Transaction): Promise<void>;
  release(): Promise<void>;
}

export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly reader: Reader;
  readonly version: DataVersion;
  /** All or nothing; one writer at a time, whichever process it is in. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  createIndexerLock(now: () => number): IndexerLock;
  close(): Promise<void>;
}

/** The database cannot be reached now; a later try may work. */
export class StoreUnavailableError extends OperatorError {
  override name = 'StoreUnavailableError';
  readonly code = 'E_DATABASE_UNAVAILABLE';
}
