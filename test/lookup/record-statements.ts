import { compile } from '../../src/store/params.ts';
import { createBuilder } from '../../src/store/query-builder.ts';
import { createAll } from '../../src/store/run-statements.ts';
import type { BuildQuery, Reader, Store } from '../../src/store/store.ts';

export interface Statement {
  readonly text: string;
  /** Number of parameters. */
  readonly parameters: number;
}

export interface Recorded {
  readonly store: Store;
  /** Prepared statements. */
  readonly prepared: readonly Statement[];
  /** Executed statements, one item per execution. */
  readonly executed: readonly Statement[];
}

/** Wraps a store and records the statements of its readers. On PostgreSQL each execution is one round trip. */
export function recordStatements(store: Store): Recorded {
  const builder = createBuilder(store.engine);
  const prepared: Statement[] = [];
  const executed: Statement[] = [];
  const record = <P, R>(build: BuildQuery<unknown>, query: (params: P) => R): ((params: P) => R) => {
    const { text, bind } = compile(build(builder));
    const statement = { text, parameters: bind({}).length };
    prepared.push(statement);
    return (params) => {
      executed.push(statement);
      return query(params);
    };
  };
  const recording = (reader: Reader): Reader => {
    const prepare = <P, R>(build: BuildQuery<R>) => record(build, reader.prepare<P, R>(build));
    return {
      ...reader,
      prepare,
      all: createAll(reader.dialect, prepare),
      prepareColumn: <P, V>(build: BuildQuery<Record<string, V>>) => record(build, reader.prepareColumn<P, V>(build)),
    };
  };
  const heavy = { ...store.heavy, reader: recording(store.heavy.reader) };
  return { store: { ...store, reader: recording(store.reader), heavy }, prepared, executed };
}
