import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { sqliteDialect } from '../dialect.ts';
import type { Executor } from '../executor.ts';
import { createLease } from '../lease.ts';
import { isUpToDate, migrate } from '../migrate.ts';
import { compile, createBuilder } from '../prepare.ts';
import { type DataVersion, type DirectReader, type Reader, type Store, StoreUnavailableError } from '../store.ts';
import { createTransaction } from '../transaction.ts';
import { columnNames, createSqliteExecutor, toExecutor, toObjects } from './executor.ts';
import { openWriterThread } from './thread.ts';
import { createWriterHere, openWriterDatabase, WRITE_LOCK_WAIT_MS } from './writer.ts';

export interface SqliteOptions {
  readonly path: string;
  /** Where writes run. */
  readonly writer: 'here' | 'thread';
  /** Hears of trouble that no caller is waiting for. */
  readonly onError: (error: Error) => void;
}

/**
 * For the pages of accounts that most people ask for. What is not in it is read from the system, at 3 µs a page: with 56
 * MiB, on a million accounts, once for every details and twice for every page of followers by list. With much more, a
 * serving process would not stay below 300 MB.
 */
const READER_CACHE_KIB = 88 * 1024;

const builder = createBuilder('sqlite');

/** Opens, and if need be makes, the database in a file. */
export async function openSqlite({ path, writer: place, onError }: SqliteOptions): Promise<Store> {
  mkdirSync(dirname(path), { recursive: true });
  const db = openWriterDatabase(path);
  let readerDb: Database.Database;
  try {
    await migrateLocked(db);
    // Reads have a connection of their own that cannot write, and never wait for the writer (WAL).
    readerDb = new Database(path, { readonly: true });
    readerDb.pragma(`cache_size = -${READER_CACHE_KIB}`);
  } catch (error) {
    db.close();
    throw error;
  }
  // Not closed before the reader is there: the last connection to be closed would copy the whole WAL first.
  if (place === 'thread') db.close();
  const writer = place === 'thread' ? openWriterThread(path) : createWriterHere(db);
  // Transactions of this process queue here; those of other processes at the file's lock.
  let last: Promise<unknown> = Promise.resolve();
  const transaction: Store['transaction'] = (work) => {
    const result = last.then(() =>
      inTransaction(writer.executor, () => work(createTransaction(sqliteDialect, builder, writer.executor))),
    );
    // A failure is told to who waits for the result.
    last = result.then(
      () => writer.checkpoint().catch(onError),
      () => undefined,
    );
    return result;
  };
  return {
    engine: 'sqlite',
    reader: createReader(readerDb),
    version: createDataVersion(readerDb),
    transaction,
    createIndexerLock: (now) => createLease({ transaction, now }),
    async close() {
      await last;
      readerDb.close();
      await writer.close();
    },
  };
}

async function migrateLocked(db: Database.Database): Promise<void> {
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) });
  // Looking takes no lock, so that opening does not wait for a long import.
  if (await isUpToDate(kysely, sqliteDialect)) return;
  await inTransaction(toExecutor(createSqliteExecutor(db)), () => migrate(kysely, sqliteDialect, true));
}

async function inTransaction<T>(executor: Executor, work: () => Promise<T>): Promise<T> {
  await begin(executor);
  try {
    const result = await work();
    await executor.run('commit', []);
    return result;
  } catch (error) {
    await executor.run('rollback', []).catch((failure: Error) => {
      // After some errors, a full disk for instance, SQLite has rolled back by itself.
      if (!failure.message.includes('no transaction is active')) throw failure;
    });
    throw error;
  }
}

async function begin(executor: Executor): Promise<void> {
  try {
    await executor.run('begin immediate', []);
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new StoreUnavailableError(
      `another process has been writing to the database for ${WRITE_LOCK_WAIT_MS / 1000} s; try again when it is done`,
      { cause: error },
    );
  }
}

function createReader(db: Database.Database): Reader {
  const begin = db.prepare('begin');
  const commit = db.prepare('commit');
  const inRead = <T>(work: () => T): T => {
    begin.run();
    try {
      return work();
    } finally {
      // A disk that fails ends the transaction by itself.
      if (db.inTransaction) commit.run();
    }
  };
  return {
    dialect: sqliteDialect,
    // Each statement alone would take the file's lock and look for new commits, which is a tenth of an answer.
    inSnapshot(work) {
      // That it is closed is told to whoever asks.
      if (db.open) inRead(work);
      else work();
    },
    direct: createDirectReader(db, inRead),
    prepare<P, R>(build: Parameters<Reader['prepare']>[0]) {
      const { text, bind } = compile(build(builder));
      const statement = db.prepare<unknown[], unknown[]>(text).raw();
      const names = columnNames(statement);
      // Safe: the statement names its columns as the fields of a row.
      return async (params: P) => toObjects({ names, rows: statement.all(...bind(params as object)) }) as R[];
    },
    prepareColumn<P, V>(build: Parameters<Reader['prepareColumn']>[0]) {
      const { text, bind } = compile(build(builder));
      const statement = db.prepare<unknown[]>(text).pluck();
      return async (params: P) => statement.all(...bind(params as object)) as V[];
    },
  };
}

function createDirectReader(db: Database.Database, inRead: <T>(work: () => T) => T): DirectReader {
  const moment = db.prepare('pragma data_version').pluck();
  return {
    during: (work) => (db.inTransaction ? work(moment.get()) : inRead(() => work(moment.get()))),
    prepareColumn<P, V>(build: Parameters<Reader['prepareColumn']>[0]) {
      const { text, bind } = compile(build(builder));
      const statement = db.prepare<unknown[]>(text).pluck();
      return (params: P) => statement.all(...bind(params as object)) as V[];
    },
  };
}

/** The pragma changes with any commit of another connection; only then is our own number read again. */
function createDataVersion(db: Database.Database): DataVersion {
  const pragma = db.prepare('pragma data_version').pluck();
  const state = db.prepare("select value from state where key = 'data_version'").pluck();
  let seen: unknown;
  let version: number | null = null;
  return {
    current() {
      const now = pragma.get();
      if (now !== seen) {
        version = state.get() as number;
        seen = now;
      }
      return version;
    },
  };
}
