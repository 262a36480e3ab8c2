import { sqliteDialect } from '../dialect.ts';
import type { Executor } from '../executor.ts';
import { createBuilder } from '../prepare.ts';
import { type Store, StoreUnavailableError } from '../store.ts';
import { createTransaction } from '../transaction.ts';
import { type SqliteWriter, WRITE_LOCK_WAIT_MS } from './writer.ts';

const builder = createBuilder('sqlite');

export interface TransactionQueue {
  readonly transaction: Store['transaction'];
  /** Resolves when the transactions that were started before the call have ended. */
  drain(): Promise<void>;
}

/** Runs the transactions of this process one after another. Other processes wait for the write lock of the file. */
export function createTransactionQueue(writer: SqliteWriter, onError: (error: Error) => void): TransactionQueue {
  let last: Promise<void> = Promise.resolve();
  return {
    transaction(work) {
      const result = last.then(() =>
        inTransaction(writer.executor, () => work(createTransaction(sqliteDialect, builder, writer.executor))),
      );
      last = result.then(
        () => writer.checkpoint().catch(onError),
        // The caller handles the error.
        () => undefined,
      );
      return result;
    },
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
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new StoreUnavailableError(
      `database is locked: another process has been writing for ${WRITE_LOCK_WAIT_MS / 1000} s; retry when it is done`,
      { cause: error },
    );
  }
}
