import type { Database } from 'better-sqlite3';
import { sqliteDialect } from '../dialect.ts';
import { compile } from '../params.ts';
import { createBuilder } from '../query-builder.ts';
import { createAll } from '../run-statements.ts';
import type { BuildQuery, Reader } from '../store.ts';
import type { DatabaseFile } from './database-file.ts';
import { columnNames, toObjects } from './executor.ts';

const builder = createBuilder('sqlite');

/** Reads on `db`, a connection that never writes. */
export function createSqliteReader(db: Database, file: DatabaseFile): Reader {
  const prepare = <P, R>(build: BuildQuery<R>) => {
    const { text, bind } = compile(build(builder));
    const statement = file.read(() => db.prepare<unknown[], unknown[]>(text).raw());
    const names = columnNames(statement);
    return async (params: P) => {
      const rows = file.read(() => statement.all(...bind(params as object)));
      // Safe: the columns of the query are the fields of its rows.
      return toObjects({ names, rows }) as R[];
    };
  };
  return {
    dialect: sqliteDialect,
    prepare,
    all: createAll(sqliteDialect, prepare),
    prepareColumn<P, V>(build: BuildQuery<Record<string, V>>) {
      const { text, bind } = compile(build(builder));
      const statement = file.read(() => db.prepare<unknown[]>(text).pluck());
      // Safe: the query selects one column of this type.
      return async (params: P) => file.read(() => statement.all(...bind(params as object))) as V[];
    },
  };
}
