import type { Database } from 'better-sqlite3';
import { sqliteDialect } from '../dialect.ts';
import { compile, createBuilder } from '../prepare.ts';
import type { BuildQuery, Reader, SyncReader } from '../store.ts';
import { columnNames, toObjects } from './executor.ts';

const builder = createBuilder('sqlite');

/** Reads on `db`, a connection that never writes. */
export function createSqliteReader(db: Database): Reader {
  const begin = db.prepare('begin');
  const commit = db.prepare('commit');
  const inReadTransaction = <T>(work: () => T): T => {
    begin.run();
    try {
      return work();
    } finally {
      // SQLite ends the transaction itself after an I/O error.
      if (db.inTransaction) commit.run();
    }
  };
  const sync = createSyncReader(db, inReadTransaction);
  return {
    dialect: sqliteDialect,
    // A statement outside of a transaction locks the file and checks for new commits, a tenth of a response's time.
    inSnapshot(work) {
      // On a closed database, each query rejects by itself.
      if (db.open) inReadTransaction(work);
      else work();
    },
    sync,
    prepare<P, R>(build: BuildQuery<R>) {
      const { text, bind } = compile(build(builder));
      const statement = db.prepare<unknown[], unknown[]>(text).raw();
      const names = columnNames(statement);
      // Safe: the columns of the query are the fields of its rows.
      return async (params: P) => toObjects({ names, rows: statement.all(...bind(params as object)) }) as R[];
    },
    prepareColumn<P, V>(build: BuildQuery<Record<string, V>>) {
      const query = sync.prepareColumn<P, V>(build);
      return async (params: P) => query(params);
    },
  };
}

function createSyncReader(db: Database, inReadTransaction: <T>(work: () => T) => T): SyncReader {
  const snapshotId = db.prepare('pragma data_version').pluck();
  return {
    inSnapshot: (work) => (db.inTransaction ? work(snapshotId.get()) : inReadTransaction(() => work(snapshotId.get()))),
    prepareColumn<P, V>(build: BuildQuery<Record<string, V>>) {
      const { text, bind } = compile(build(builder));
      const statement = db.prepare<unknown[]>(text).pluck();
      return (params: P) => statement.all(...bind(params as object)) as V[];
    },
  };
}
