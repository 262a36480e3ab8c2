import type { Dialect } from './dialect.ts';
import { type Compiled, compile } from './params.ts';
import type { Statement } from './statement.ts';
import type { Reader, StreamReader } from './store.ts';

/** Calls `prepare` once for each statement. */
function prepareOnce<T>(dialect: Dialect, prepare: (compiled: Compiled) => T) {
  const prepared = new Map<unknown, T>();
  return <P extends object, R>(statement: Statement<P, R>): T => {
    let known = prepared.get(statement);
    if (known === undefined)
      prepared.set(statement, (known = prepare(compile(statement.build(dialect.builder, dialect)))));
    return known;
  };
}

/** A reader that calls `prepare` once for each statement. The result returns the rows for some parameters. */
export function createReader(
  dialect: Dialect,
  prepare: (compiled: Compiled) => (params: object) => Promise<unknown[]>,
): Reader {
  const prepared = prepareOnce(dialect, prepare);
  return {
    dialect,
    // Async: preparing a statement may throw. Safe: the columns of the statement are the fields of its rows.
    all: async <P extends object, R>(statement: Statement<P, R>, params: P) =>
      prepared(statement)(params) as Promise<R[]>,
  };
}

/** A reader that compiles each statement once, and calls `open` for each of its runs. */
export function createStreamReader(
  dialect: Dialect,
  open: (compiled: Compiled, params: object) => AsyncGenerator<unknown[]>,
): StreamReader {
  const compiled = prepareOnce(dialect, (statement) => statement);
  return {
    // Safe: the columns of the statement are the fields of its rows.
    stream: <P extends object, R>(statement: Statement<P, R>, params: P) =>
      open(compiled(statement), params) as AsyncGenerator<R[]>,
  };
}
