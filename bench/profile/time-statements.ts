import { readFileSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';

/** What the statements of one kind took. */
interface StatementTime {
  ms: number;
  runs: number;
  /** Asked of the system, for SQLite did not have them; and of those, what came from the disk. */
  pages: number;
  diskPages: number;
}

/** Counts what statements take that are prepared in this thread once it is there. */
export interface StatementWatch {
  during<T>(work: () => Promise<T>): Promise<T>;
  /** By what they do to which table. */
  readonly times: ReadonlyMap<string, StatementTime>;
  stop(): void;
}

/** The kind of what copies pages from the log of changes into the file. */
export const CHECKPOINT = 'checkpoint';

const PAGE_BYTES = 4096;

export function watchStatements(): StatementWatch {
  const { prepare, pragma } = Database.prototype;
  const times = new Map<string, StatementTime>();
  let isCounting = false;
  const ownReads = countOwnReads();
  // Asking for what was read takes longer than many a statement: once for all of a kind that follow each other.
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
  // Nothing else is asked for in this way once a database is open.
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

/** Reading the counts is counted too. */
function countOwnReads(): number {
  const { reads } = readIo();
  return readIo().reads - reads;
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
