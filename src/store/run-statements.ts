import type { Dialect } from './dialect.ts';
import type { Statement } from './statement.ts';
import type { BuildQuery, Query, Reader } from './store.ts';

/** Runs statements with a reader's `prepare`, which is called once for each. */
export function createAll(dialect: Dialect, prepare: <P, R>(build: BuildQuery<R>) => Query<P, R>): Reader['all'] {
  const prepared = new Map<unknown, Query<object, unknown>>();
  // Async: preparing a statement may throw.
  return async <P extends object, R>(statement: Statement<P, R>, params: P) => {
    let query = prepared.get(statement);
    if (query === undefined) {
      query = prepare<object, unknown>((db) => statement.build(db, dialect));
      prepared.set(statement, query);
    }
    // Safe: it was prepared from the statement.
    return query(params) as Promise<R[]>;
  };
}
