import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { CommandError } from '../../errors/operator-error.ts';
import { sqliteDialect } from '../dialect.ts';
import { hasPendingMigrations, migrate, requireMigrated, requireNotForeign } from '../migrate.ts';
import { createOutage } from '../outage.ts';
import type { OpenOptions, Store } from '../store.ts';
import { createDatabaseFile, type DatabaseFile, readFileSizes } from './database-file.ts';
import { asOpenError } from './errors.ts';
import { createSqliteLock } from './indexer-lock.ts';
import {
  createReaderThread,
  createSqliteReader,
  createThreadReader,
  createThreadSnapshots,
  createThreadStreamReader,
} from './reader.ts';
import { createTransactionQueue, findWriter, inTransaction } from './transaction.ts';
import { createSqliteVersion } from './version.ts';
import {
  checkpointLast,
  createInlineWriter,
  openWriterDatabase,
  openWriterThread,
  type SqliteWriter,
} from './writer.ts';

/**
 * A page cache miss costs 3 µs. With 56 MiB and a million accounts, there was one for every details response and two for
 * every page of followers by list. With much more, a serving process would exceed 300 MB.
 */
const READER_CACHE_KIB = 64 * 1024;

/** A reader waits only while another process recovers the file after a crash. Its wait blocks the event loop. */
const READER_BUSY_MS = 100;

/** Opens the database file, creating and migrating it if needed. */
export async function openSqlite(given: string, options: OpenOptions): Promise<Store> {
  try {
    await requireOwnFile(given, options);
    const { writerDb, readerDb } = await openConnections(given);
    // SQLite has the write-ahead log beside the target of a symbolic link.
    const path = realpathSync(given);
    // Closed after the reader was opened: closing the last connection would checkpoint the whole WAL.
    if (options.threads) writerDb.close();
    const writer = options.threads ? openWriterThread(path) : createInlineWriter(writerDb);
    const file = createDatabaseFile(path, createOutage(options));
    return createSqliteStore(path, readerDb, writer, file, options);
  } catch (error) {
    throw asOpenError(error, given);
  }
}

async function openConnections(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  const writerDb = openWriterDatabase(path);
  try {
    await migrateIfNeeded(writerDb, path);
    // In WAL mode, readers with their own connection are never blocked by the writer.
    const readerDb = new Database(path, { readonly: true });
    readerDb.pragma(`cache_size = -${READER_CACHE_KIB}`);
    // Opens the WAL, so that its file is known from now on.
    readerDb.pragma('schema_version');
    readerDb.pragma(`busy_timeout = ${READER_BUSY_MS}`);
    return { writerDb, readerDb };
  } catch (error) {
    writerDb.close();
    throw error;
  }
}

function createSqliteStore(
  path: string,
  readerDb: Database.Database,
  writer: SqliteWriter,
  file: DatabaseFile,
  { onError, name }: OpenOptions,
): Store {
  const reader = createSqliteReader(readerDb, file);
  const heavyThread = createReaderThread(path, file);
  // Of its own: sorting a result of any length must not delay other queries.
  const streamThread = createReaderThread(path, file);
  const { transaction, close } = createTransactionQueue({ writer, file, findWriter: () => findWriter(path), onError });
  return {
    engine: 'sqlite',
    reader,
    short: createSqliteReader(readerDb, file, { isShort: true }),
    // The thread runs one at a time. The others keep it busy while the event loop is late.
    heavy: { reader: createThreadReader(heavyThread), concurrency: 4 },
    streams: createThreadStreamReader(streamThread),
    snapshots: createThreadSnapshots(heavyThread),
    version: createSqliteVersion(readerDb, file),
    transaction,
    createIndexerLock: (monotonic) => createSqliteLock({ transaction, name, monotonic }),
    readSize: () => readFileSizes(path),
    async readFault() {
      const fault = await file.readFault();
      // Everybody can read it: the folder is of no concern to them.
      return fault && { code: fault.code, message: fault.message.replaceAll(path, basename(path)) };
    },
    poolUsage: null,
    async close() {
      file.close();
      await close();
      const isIntact = file.isIntact;
      readerDb.close();
      await Promise.all([heavyThread.stop(), streamThread.stop()]);
      await writer.close();
      if (isIntact) checkpointLast(path, onError);
    },
  };
}

/** Checks a file before anything is written to it or beside it. */
async function requireOwnFile(path: string, { mustExist }: OpenOptions): Promise<void> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (mustExist) throw new CommandError('E_NO_DATABASE', `DATABASE_URL: there is no database ${path}`);
    return;
  }
  // SQLite would open it for reading, and leave files beside it that its owner cannot write.
  accessSync(path, constants.W_OK);
  // Not read-only: a connection that reads leaves the files of the write-ahead log behind.
  const db = new Database(path, { fileMustExist: true });
  try {
    const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) });
    if (mustExist) await requireMigrated(kysely, sqliteDialect);
    await requireNotForeign(kysely, sqliteDialect);
  } finally {
    db.close();
  }
}

async function migrateIfNeeded(db: Database.Database, path: string): Promise<void> {
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) });
  // This check takes no lock, so that opening does not wait for a long write transaction.
  if (!(await hasPendingMigrations(kysely, sqliteDialect))) return;
  const run = () => migrate(kysely, sqliteDialect, true);
  await inTransaction(createInlineWriter(db).executor, run, () => findWriter(path));
}
