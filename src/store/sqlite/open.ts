import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { CommandError } from '../../errors/operator-error.ts';
import { sqliteDialect } from '../dialect.ts';
import { hasPendingMigrations, migrate, requireMigrated } from '../migrate.ts';
import type { OpenOptions } from '../open-options.ts';
import { createOutage } from '../outage.ts';
import type { Store } from '../store.ts';
import { checkpointLast } from './checkpoint.ts';
import { createDatabaseFile, type DatabaseFile, readFileSizes } from './database-file.ts';
import { asOpenError } from './errors.ts';
import { createSqliteExecutor, toExecutor } from './executor.ts';
import { createSqliteLock } from './indexer-lock.ts';
import { createSqliteReader, createThreadReader, createThreadStreamReader } from './reader.ts';
import { createReaderThread } from './reader-thread.ts';
import { createTransactionQueue, inTransaction } from './transaction.ts';
import { createSqliteVersion } from './version.ts';
import { createInlineWriter, openWriterDatabase, type SqliteWriter } from './writer.ts';
import { openWriterThread } from './writer-thread.ts';

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
    if (options.mustExist) await requireDatabase(given);
    const { writerDb, readerDb } = await openConnections(given);
    // SQLite has the write-ahead log beside the target of a symbolic link.
    const path = realpathSync(given);
    // Closed after the reader was opened: closing the last connection would checkpoint the whole WAL.
    if (options.threads) writerDb.close();
    const writer = options.threads ? openWriterThread(path) : createInlineWriter(writerDb);
    const file = createDatabaseFile(path, createOutage(options));
    return createSqliteStore(path, readerDb, writer, file, options.onError);
  } catch (error) {
    throw asOpenError(error, given);
  }
}

async function openConnections(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  const writerDb = openWriterDatabase(path);
  try {
    await migrateIfNeeded(writerDb);
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
  onError: OpenOptions['onError'],
): Store {
  const heavyThread = createReaderThread(path, file);
  // Of its own: sorting a result of any length must not delay other queries.
  const streamThread = createReaderThread(path, file);
  const { transaction, drain } = createTransactionQueue({ writer, file, onError });
  return {
    engine: 'sqlite',
    reader: createSqliteReader(readerDb, file),
    // The thread runs one at a time. The others keep it busy while the event loop is late.
    heavy: { reader: createThreadReader(heavyThread), concurrency: 4 },
    streams: createThreadStreamReader(streamThread),
    version: createSqliteVersion(readerDb, file),
    transaction,
    createIndexerLock: (now) => createSqliteLock({ transaction, now }),
    readSize: () => readFileSizes(path),
    poolUsage: null,
    async close() {
      file.close();
      await drain();
      const isIntact = file.isIntact;
      readerDb.close();
      await Promise.all([heavyThread.stop(), streamThread.stop()]);
      await writer.close();
      if (isIntact) checkpointLast(path, onError);
    },
  };
}

async function requireDatabase(path: string): Promise<void> {
  if (!existsSync(path)) throw new CommandError('E_NO_DATABASE', `DATABASE_URL: there is no database ${path}`);
  // Read-only, because opening for writing would turn an empty file into a database.
  const db = new Database(path, { readonly: true });
  try {
    await requireMigrated(new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) }));
  } finally {
    db.close();
  }
}

async function migrateIfNeeded(db: Database.Database): Promise<void> {
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) });
  // This check takes no lock, so that opening does not wait for a long write transaction.
  if (!(await hasPendingMigrations(kysely, sqliteDialect))) return;
  await inTransaction(toExecutor(createSqliteExecutor(db)), () => migrate(kysely, sqliteDialect, true));
}
