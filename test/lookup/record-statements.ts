import { compile } from '../../src/store/params.ts';
import type { Statement as StoreStatement } from '../../src/store/statement.ts';
import type { Reader, SnapshotReader, Store, StreamReader } from '../../src/store/store.ts';

export interface Statement {
  readonly text: string;
  /** Number of parameters. */
  readonly parameters: number;
}

export interface Recorded {
  readonly store: Store;
  /** Executed statements, one item per execution. */
  readonly executed: readonly Statement[];
}

/** Wraps a store and records the statements of its readers. On PostgreSQL each execution is one round trip. */
export function recordStatements(store: Store): Recorded {
  const { dialect } = store.reader;
  const executed: Statement[] = [];
  const record = <P extends object, R>(statement: StoreStatement<P, R>, isShort = false) => {
    const { text, bind } = compile(statement.build(dialect.builder, dialect, isShort), dialect.builder);
    executed.push({ text, parameters: bind({}).length });
  };
  const recording = (reader: Reader, isShort = false): Reader => ({
    dialect: reader.dialect,
    all<P extends object, R>(statement: StoreStatement<P, R>, params: P) {
      record(statement, isShort);
      return reader.all(statement, params);
    },
  });
  const streams: StreamReader = {
    stream<P extends object, R>(statement: StoreStatement<P, R>, params: P) {
      record(statement);
      return store.streams.stream(statement, params);
    },
  };
  const snapshots: SnapshotReader = {
    snapshot: (work) => store.snapshots.snapshot((reader) => work(recording(reader))),
  };
  const heavy = { ...store.heavy, reader: recording(store.heavy.reader) };
  const readers = { reader: recording(store.reader), short: recording(store.short, true) };
  return { store: { ...store, ...readers, heavy, streams, snapshots }, executed };
}
