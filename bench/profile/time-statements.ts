import { readFileSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';

/** Totals of one kind of statement. */
interface StatementTime {
  ms: number;
  runs: number;
  /** Pages that were not in SQLite's cache, and those of them that were read from disk. */
  pages: number;
  diskPages: number;
}

/** Measures the statements that are prepared in this thread after it was created. */
export interface StatementWatch {
  during<T>(work: () => Promise<T>): Promise<T>;
  /** By verb and table. */
  readonly times: ReadonlyMap<string, StatementTime>;
  stop(): void;
}

/** The kind of WAL checkpoints. */
export const CHECKPOINT = 'checkpoint';

const PAGE_BYTES = 4096;

export function watchStatements(): StatementWatch {
  const { prepare, pragma } = Database.prototype;
  const times = new Map<string, StatementTime>();
  let isCounting = false;
  const ownReads = countOwnReads();
  // Reading the I/O counters takes longer than many statements: read them once per run of statements of one kind.
  let current: { time: StatementTime; io: Io } | null = null;
  const end = () => {
    if (current === null) return;
    const { time, io } = current;
    const now = readIo();
    time.pages += now.reads - io.reads - ownReads;
    time.diskPages += (now.diskBytes - io.diskBytes) / PAGE_BYTES;
    current = null;
  };
  const run = <R>(kind: string, statement: () => R): R => {
    if (!isCounting) return statement();
    let time = times.get(kind);
    if (time === undefined) times.set(kind, (time = { ms: 0, runs: 0, pages: 0, diskPages: 0 }));
    if (current?.time !== time) {
      end();
      current = { time, io: readIo() };
    }
    const began = performance.now();
    try {
      return statement();
    } finally {
      time.ms += performance.now() - began;
      time.runs += 1;
    }
  };
  Database.prototype.prepare = function watched(this: Database.Database, text: string) {
    const statement = prepare.call(this, text) as Statement<unknown[]>;
    const kind = kindOf(text);
    const { all, run: change } = statement;
    statement.all = (...args) => run(kind, () => all.apply(statement, args));
    statement.run = (...args) => run(kind, () => change.apply(statement, args));
    return statement;
  } as typeof prepare;
  // Once a database is open, the only pragma is the checkpoint.
  Database.prototype.pragma = function watched(this: Database.Database, ...args) {
    return run(CHECKPOINT, () => pragma.apply(this, args));
  };
  return {
    times,
    async during(work) {
      isCounting = true;
      try {
        return await work();
      } finally {
        isCounting = false;
        end();
      }
    },
    stop: () => void Object.assign(Database.prototype, { prepare, pragma }),
  };
}

interface Io {
  readonly reads: number;
  readonly diskBytes: number;
}

/** Reading the counters is a read itself. */
function countOwnReads(): number {
  const { reads } = readIo();
  return readIo().reads - reads;
}

function readIo(): Io {
  const text = readFileSync('/proc/self/io', 'utf8');
  const countOf = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
  return { reads: countOf('syscr'), diskBytes: countOf('read_bytes') };
}

/** For example `insert followers`; the verb alone if there is no table. */
function kindOf(text: string): string {
  const [verb = ''] = /\w+/.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/.exec(text) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}
