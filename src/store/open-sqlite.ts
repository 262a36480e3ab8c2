import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { sqliteDialect } from './dialect.ts';
import { createLease } from './indexer-lock.ts';
import { isUpToDate, migrate } from './migrate.ts';
import { compile, createBuilder } from './prepare.ts';
import { createSqliteTransaction } from './sqlite-transaction.ts';
import { type DataVersion, type Reader, type Store, StoreUnavailableError, type Transaction } from './store.ts';

/** How long a writer waits for another process's transaction: an import of a large file takes a while. */
const WRITE_LOCK_WAIT_MS = 60_000;

/** Rows are written all over the indexes: pages that are touched again soon should still be in memory. */
const WRITER_CACHE_KIB = 256 * 1024;
/** 64 MiB: fewer, longer checkpoints than by default, which a bulk load would spend its time in. */
const CHECKPOINT_PAGES = 16_384;

/** Opens, and if need be makes, the database in the file `path`. */
export async function openSqlite(path: string): Promise<Store> {
  mkdirSync(dirname(path), { recursive: true });
  const writer = openWriter(path);
  try {
    await migrateLocked(writer);
  } catch (error) {
    writer.close();
    throw error;
  }
  // Reads have a connection of their own that cannot write, and never wait for the writer (WAL).
  const readerDb = new Database(path, { readonly: true });
  const tx = createSqliteTransaction(writer);
  // Transactions of this process queue here; those of other processes at the file's lock.
  let last: Promise<unknown> = Promise.resolve();
  const transaction: Store['transaction'] = (work) => {
    const result = last.then(() => runTransaction(writer, tx, work));
    last = result.catch(() => undefined);
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
      writer.close();
    },
  };
}

function openWriter(path: string): Database.Database {
  const db = new Database(path, { timeout: WRITE_LOCK_WAIT_MS });
  db.pragma('journal_mode = WAL');
  // A crash of the process loses nothing; a power cut at worst the last commits, cursor and data alike.
  db.pragma('synchronous = NORMAL');
  db.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return db;
}

async function migrateLocked(db: Database.Database): Promise<void> {
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) });
  // Looking takes no lock, so that opening does not wait for a long import.
  if (await isUpToDate(kysely, sqliteDialect)) return;
  begin(db);
  try {
    await migrate(kysely, sqliteDialect, true);
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

function begin(db: Database.Database): void {
  try {
    db.exec('begin immediate');
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new StoreUnavailableError(
      `another process has been writing to the database for ${WRITE_LOCK_WAIT_MS / 1000} s; try again when it is done`,
      { cause: error },
    );
  }
}

async function runTransaction<T>(
  db: Database.Database,
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  begin(db);
  try {
    const result = await work(tx);
    db.exec('commit');
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
}

function createReader(db: Database.Database): Reader {
  const builder = createBuilder('sqlite');
  return {
    dialect: sqliteDialect,
    prepare<P, R>(build: Parameters<Reader['prepare']>[0]) {
      const { text, bind } = compile(build(builder));
      const statement = db.prepare<unknown[]>(text);
      return async (params: P) => statement.all(bind(params as object)) as R[];
    },
    prepareColumn<P, V>(build: Parameters<Reader['prepareColumn']>[0]) {
      const { text, bind } = compile(build(builder));
      const statement = db.prepare<unknown[]>(text).pluck();
      return async (params: P) => statement.all(bind(params as object)) as V[];
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
