import type { Dialect } from './dialect.ts';
import { type Compiled, compile } from './params.ts';
import type { Statement } from './statement.ts';
import type { Reader, StreamReader } from './store.ts';

/** Calls `prepare` once for each statement, and what it returns for each of its runs. */
function prepareOnce<T>(dialect: Dialect, prepare: (compiled: Compiled) => (params: object) => T, isShort = false) {
  const prepared = new Map<unknown, (params: object) => T>();
  return ({ build }: Statement<object, unknown>, params: object): T => {
    const run = prepared.get(build) ?? prepare(compile(build(dialect.builder, dialect, isShort), dialect.builder));
    prepared.set(build, run);
    return run(params);
  };
}

/** A reader whose `prepare` returns the rows for some parameters. */
export function createReader(
  dialect: Dialect,
  prepare: (compiled: Compiled) => (params: object) => Promise<readonly unknown[]>,
  isShort = false,
): Reader {
  const run = prepareOnce(dialect, prepare, isShort);
  return {
    dialect,
    // Async: preparing a statement may throw. Safe: the columns of the statement are the fields of its rows.
    all: async <P extends object, R>(statement: Statement<P, R>, params: P) => run(statement, params) as Promise<R[]>,
  };
}

/** A reader that calls `open` for each run of a statement. */
export function createStreamReader(
  dialect: Dialect,
  open: (compiled: Compiled, params: object) => AsyncGenerator<unknown[]>,
): StreamReader {
  const run = prepareOnce(dialect, (compiled) => (params) => open(compiled, params));
  return {
    // Safe: the columns of the statement are the fields of its rows.
    stream: <P extends object, R>(statement: Statement<P, R>, params: P) =>
      run(statement, params) as AsyncGenerator<R[]>,
  };
}
