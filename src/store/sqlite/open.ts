import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { sqliteDialect } from '../dialect.ts';
import { isUpToDate, migrate } from '../migrate.ts';
import type { Store } from '../store.ts';
import { createSqliteExecutor, toExecutor } from './executor.ts';
import { createHeavyReader } from './heavy-reader.ts';
import { createSqliteLock } from './indexer-lock.ts';
import { createSqliteReader } from './reader.ts';
import { openWriterThread } from './thread.ts';
import { createTransactionQueue, inTransaction } from './transaction.ts';
import { createSqliteVersion } from './version.ts';
import { createInlineWriter, openWriterDatabase } from './writer.ts';

export interface SqliteOptions {
  readonly path: string;
  /** Whether writes run in a worker thread or in the calling thread. */
  readonly writer: 'inline' | 'thread';
  /** Called with errors of background work, which reject no promise. */
  readonly onError: (error: Error) => void;
}

/**
 * A page cache miss costs 3 µs. With 56 MiB and a million accounts, there was one for every details response and two for
 * every page of followers by list. With much more, a serving process would exceed 300 MB.
 */
const READER_CACHE_KIB = 64 * 1024;

/** Opens the database file, creating and migrating it if needed. */
export async function openSqlite({ path, writer: mode, onError }: SqliteOptions): Promise<Store> {
  mkdirSync(dirname(path), { recursive: true });
  const writerDb = openWriterDatabase(path);
  let readerDb: Database.Database;
  try {
    await migrateIfNeeded(writerDb);
    // In WAL mode, readers with their own connection are never blocked by the writer.
    readerDb = new Database(path, { readonly: true });
    readerDb.pragma(`cache_size = -${READER_CACHE_KIB}`);
  } catch (error) {
    writerDb.close();
    throw error;
  }
  // Closed after the reader was opened: closing the last connection would checkpoint the whole WAL.
  if (mode === 'thread') writerDb.close();
  const writer = mode === 'thread' ? openWriterThread(path) : createInlineWriter(writerDb);
  const heavyReader = createHeavyReader(path);
  const { transaction, drain } = createTransactionQueue(writer, onError);
  return {
    engine: 'sqlite',
    reader: createSqliteReader(readerDb),
    heavy: { reader: heavyReader, concurrency: 1 },
    version: createSqliteVersion(readerDb),
    transaction,
    createIndexerLock: (now) => createSqliteLock({ transaction, now }),
    async close() {
      await drain();
      readerDb.close();
      await heavyReader.close();
      await writer.close();
    },
  };
}

async function migrateIfNeeded(db: Database.Database): Promise<void> {
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) });
  // This check takes no lock, so that opening does not wait for a long write transaction.
  if (await isUpToDate(kysely, sqliteDialect)) return;
  await inTransaction(toExecutor(createSqliteExecutor(db)), () => migrate(kysely, sqliteDialect, true));
}
