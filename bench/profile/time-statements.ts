import { readFileSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';

/** What the statements of one kind took. */
export interface StatementTime {
  ms: number;
  runs: number;
  /** Asked of the system, for SQLite did not have them; and of those, what came from the disk. */
  pages: number;
  diskPages: number;
}

/** Tells from now on what statements take that are prepared in this thread from now on. */
export interface StatementWatch {
  /** Begins again at zero. */
  clear(): void;
  /** By what they do to which table. */
  read(): ReadonlyMap<string, StatementTime>;
  stop(): void;
}

const PAGE_BYTES = 4096;

export function watchStatements(): StatementWatch {
  const { prepare } = Database.prototype;
  const times = new Map<string, StatementTime>();
  // Asking for what was read takes longer than many a statement: once for all that follow each other.
  let current: { time: StatementTime; io: Io } | null = null;
  const end = () => {
    if (current === null) return;
    const { time, io } = current;
    const now = readIo();
    time.pages += now.reads - io.reads;
    time.diskPages += (now.diskBytes - io.diskBytes) / PAGE_BYTES;
    current = null;
  };
  const run = <R>(kind: string, statement: () => R): R => {
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
  return {
    clear() {
      end();
      times.clear();
    },
    read() {
      end();
      return times;
    },
    stop() {
      Database.prototype.prepare = prepare;
    },
  };
}

interface Io {
  readonly reads: number;
  readonly diskBytes: number;
}

function readIo(): Io {
  const text = readFileSync('/proc/self/io', 'utf8');
  const countOf = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
  return { reads: countOf('syscr'), diskBytes: countOf('read_bytes') };
}

/** `insert followers`, for instance; the first word alone for what is not about a table. */
function kindOf(text: string): string {
  const [verb = ''] = /\w+/.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/.exec(text) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}
