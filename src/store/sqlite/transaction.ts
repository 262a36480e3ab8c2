import { sqliteDialect } from '../dialect.ts';
import type { Executor } from '../executor.ts';
import { requireKnownSchema } from '../migrate.ts';
import type { Transaction } from '../store.ts';
import { createTransaction } from '../transaction.ts';
import type { DatabaseFile } from './database-file.ts';
import { type SqliteWriter, WRITE_LOCK_WAIT_MS } from './writer.ts';

export interface TransactionQueueOptions {
  readonly writer: SqliteWriter;
  readonly file: Pick<DatabaseFile, 'guard'>;
  /** Called with errors of checkpoints. */
  readonly onError: (error: Error) => void;
}

/** Runs the transactions of this process one after another. Other processes wait for the write lock of the file. */
export function createTransactionQueue({ writer, file, onError }: TransactionQueueOptions) {
  let last: Promise<void> = Promise.resolve();
  return {
    transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      const { executor } = writer;
      const run = () =>
        inTransaction(executor, async () => {
          await requireKnownSchema(executor);
          return work(createTransaction(sqliteDialect, executor));
        });
      const result = last.then(() => file.guard(run));
      last = result.then(
        () => writer.checkpoint().catch(onError),
        // The caller handles the error.
        () => undefined,
      );
      return result;
    },
    /** Resolves when the transactions that were started before the call have ended. */
    drain: () => last,
  };
}

export async function inTransaction<T>(executor: Executor, work: () => Promise<T>): Promise<T> {
  await begin(executor);
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

async function begin(executor: Executor): Promise<void> {
  try {
    await executor.run('begin immediate', []);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'SQLITE_BUSY') throw error;
    const waited = `another process has been writing for ${WRITE_LOCK_WAIT_MS / 1000} s`;
    throw Object.assign(new Error(`database is locked: ${waited}; retry when it is done`, { cause: error }), { code });
  }
}
