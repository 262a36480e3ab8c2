import type { Database } from 'better-sqlite3';
import { sqliteDialect } from '../dialect.ts';
import { compile, createBuilder } from '../prepare.ts';
import type { BuildQuery, Reader, SyncReader } from '../store.ts';
import type { DatabaseFile } from './database-file.ts';
import { columnNames, toObjects } from './executor.ts';

const builder = createBuilder('sqlite');

/** Reads on `db`, a connection that never writes. */
export function createSqliteReader(db: Database, file: DatabaseFile): Reader {
  const begin = db.prepare('begin');
  const rollback = db.prepare('rollback');
  const inReadTransaction = <T>(work: () => T): T => {
    begin.run();
    try {
      return work();
    } finally {
      // SQLite ends the transaction itself after an I/O error. After one query has read a corrupt page, a commit would
      // fail, and with it the other queries of the transaction.
      if (db.inTransaction) rollback.run();
    }
  };
  const sync = createSyncReader(db, file, inReadTransaction);
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
      const statement = file.read(() => db.prepare<unknown[], unknown[]>(text).raw());
      const names = columnNames(statement);
      return async (params: P) => {
        const rows = file.read(() => statement.all(...bind(params as object)));
        // Safe: the columns of the query are the fields of its rows.
        return toObjects({ names, rows }) as R[];
      };
    },
    prepareColumn<P, V>(build: BuildQuery<Record<string, V>>) {
      const query = sync.prepareColumn<P, V>(build);
      return async (params: P) => query(params);
    },
  };
}

function createSyncReader(db: Database, file: DatabaseFile, inReadTransaction: <T>(work: () => T) => T): SyncReader {
  const snapshotId = db.prepare('pragma data_version').pluck();
  const readSnapshotId = () => file.read(() => snapshotId.get());
  return {
    inSnapshot: (work) => (db.inTransaction ? work(readSnapshotId()) : inReadTransaction(() => work(readSnapshotId()))),
    prepareColumn<P, V>(build: BuildQuery<Record<string, V>>) {
      const { text, bind } = compile(build(builder));
      const statement = file.read(() => db.prepare<unknown[]>(text).pluck());
      return (params: P) => file.read(() => statement.all(...bind(params as object))) as V[];
    },
  };
}
