import type { Database } from 'better-sqlite3';
import { createReader } from '../create-reader.ts';
import { sqliteDialect } from '../dialect.ts';
import type { Reader } from '../store.ts';
import type { DatabaseFile } from './database-file.ts';
import { columnNames, toObjects } from './executor.ts';

/** Reads on `db`, a connection that never writes. */
export function createSqliteReader(db: Database, file: DatabaseFile): Reader {
  return createReader('sqlite', sqliteDialect, ({ text, bind }) => {
    const statement = file.read(() => db.prepare<unknown[], unknown[]>(text).raw());
    const names = columnNames(statement);
    return async (params) => toObjects({ names, rows: file.read(() => statement.all(...bind(params))) });
  });
}
