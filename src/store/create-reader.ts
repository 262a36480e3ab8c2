import type { Dialect } from './dialect.ts';
import { type Compiled, compile } from './params.ts';
import { createBuilder, type EngineName } from './query-builder.ts';
import type { Statement } from './statement.ts';
import type { Reader, StreamReader } from './store.ts';

/** The rows of a prepared statement for some parameters. */
type Run = (params: object) => Promise<unknown[]>;

/** A reader that calls `prepare` once for each statement. */
export function createReader(engine: EngineName, dialect: Dialect, prepare: (compiled: Compiled) => Run): Reader {
  const builder = createBuilder(engine);
  const prepared = new Map<unknown, Run>();
  return {
    dialect,
    // Async: preparing a statement may throw.
    async all<P extends object, R>(statement: Statement<P, R>, params: P) {
      let run = prepared.get(statement);
      if (run === undefined) prepared.set(statement, (run = prepare(compile(statement.build(builder, dialect)))));
      // Safe: the columns of the statement are the fields of its rows.
      return run(params) as Promise<R[]>;
    },
  };
}

/** A reader that compiles each statement once, and calls `open` for each of its runs. */
export function createStreamReader(
  engine: EngineName,
  dialect: Dialect,
  open: (compiled: Compiled, params: object) => AsyncGenerator<unknown[]>,
): StreamReader {
  const builder = createBuilder(engine);
  const compiled = new Map<unknown, Compiled>();
  return {
    stream<P extends object, R>(statement: Statement<P, R>, params: P) {
      let known = compiled.get(statement);
      if (known === undefined) compiled.set(statement, (known = compile(statement.build(builder, dialect))));
      // Safe: the columns of the statement are the fields of its rows.
      return open(known, params) as AsyncGenerator<R[]>;
    },
  };
}
