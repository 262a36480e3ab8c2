import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { sqliteDialect } from '../dialect.ts';
import type { Executor } from '../executor.ts';
import type { Transaction } from '../store.ts';
import { runTransaction } from '../transaction.ts';
import type { DatabaseFile } from './database-file.ts';
import { type SqliteWriter, WRITE_LOCK_WAIT_MS } from './writer.ts';

interface QueueOptions {
  readonly writer: SqliteWriter;
  readonly file: Pick<DatabaseFile, 'guard'>;
  /** Names the process that is writing, if that is known. */
  readonly findWriter?: () => string | null;
  /** Called with errors of checkpoints. */
  readonly onError: (error: Error) => void;
}

/** Runs the transactions of this process one after another. Other processes wait for the write lock of the file. */
export function createTransactionQueue({ writer, file, findWriter, onError }: QueueOptions) {
  let last: Promise<void> = Promise.resolve();
  let isClosed = false;
  return {
    async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      // It would start the thread of the writer again, which keeps the process alive.
      if (isClosed) throw new Error('the database is closed');
      const { executor } = writer;
      const run = async () =>
        (await inTransaction(executor, () => runTransaction(sqliteDialect, executor, work), findWriter)).result;
      const result = last.then(() => file.guard(run));
      last = result.then(
        () => writer.checkpoint().catch(onError),
        // The caller handles the error.
        () => undefined,
      );
      return result;
    },
    /** Rejects later transactions. Resolves when the earlier ones have ended. */
    close(): Promise<void> {
      isClosed = true;
      return last;
    },
  };
}

export async function inTransaction<T>(
  executor: Executor,
  work: () => Promise<T>,
  findWriter: () => string | null = () => null,
): Promise<T> {
  await begin(executor, findWriter);
  try {
    const result = await work();
    await executor.run('commit', []);
    return result;
  } catch (error) {
    await executor.run('rollback', []).catch((failure: Error) => {
      // SQLite has already rolled back after some errors, such as a full disk.
      if (!failure.message.includes('no transaction is active')) throw failure;
    });
    throw error;
  }
}

async function begin(executor: Executor, findWriter: () => string | null): Promise<void> {
  try {
    await executor.run('begin immediate', []);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'SQLITE_BUSY') throw error;
    const waited = `${findWriter() ?? 'another process'} has been writing for ${WRITE_LOCK_WAIT_MS / 1000} s`;
    throw Object.assign(new Error(`database is locked: ${waited}; retry when it is done`, { cause: error }), { code });
  }
}

/** The write lock of SQLite is one on byte 120 of the shared memory file. Other locks of a process may be joined to it. */
const WRITE_LOCK = /^\d+: POSIX +ADVISORY +WRITE (\d+) \S+:(\d+) 120 \d+$/gm;

/** Names the process that is writing to a database. Null if it is unknown: on other systems, or in another container. */
export function findWriter(path: string): string | null {
  try {
    const { ino } = statSync(`${path}-shm`);
    for (const [, pid, inode] of readFileSync('/proc/locks', 'utf8').matchAll(WRITE_LOCK)) {
      if (Number(inode) === ino && Number(pid) > 0)
        return describeProcess(pid ?? '', readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    }
  } catch {
    // The system has no such files, or the process has ended.
  }
  return null;
}

/** Without its arguments, which may have secrets. */
function describeProcess(pid: string, commandLine: string): string {
  const args = commandLine.split('\0');
  const entry = args.findIndex((arg) => /^(?:kith(?:\.js)?|main\.js)$/.test(basename(arg)));
  const name = entry === -1 ? basename(args[0] ?? '') : `kith ${args[entry + 1] || 'start'}`;
  return `${name} (process ${pid})`;
}
