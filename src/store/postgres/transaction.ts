import type pg from 'pg';
import { postgresDialect } from '../dialect.ts';
import { requireKnownSchema } from '../migrate.ts';
import type { Transaction } from '../store.ts';
import { createTransaction } from '../transaction.ts';
import { withTimeout } from './connection.ts';
import { withUnavailable } from './errors.ts';
import { createPostgresExecutor } from './executor.ts';

/** The advisory lock that serialises the write transactions of all processes. */
export const WRITER_LOCK = 0x6b697468;
/** How long a transaction waits for a lock: importing a large file takes a while. */
export const LOCK_TIMEOUT_MS = 60_000;
/** For statements that take no time once they have their lock. */
const ANSWER_TIMEOUT_MS = 10_000;

/** `pool` has no limit on the duration of statements: those of a bulk load take minutes. */
export async function runPostgresTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await withUnavailable(() => pool.connect());
  let connectionError: Error | undefined;
  // Without a listener, a lost connection would end the process.
  const onError = (error: Error) => {
    connectionError ??= error;
  };
  client.on('error', onError);
  try {
    await withUnavailable(() => begin(client));
    const executor = createPostgresExecutor(client);
    await requireKnownSchema(executor);
    const result = await work(createTransaction(postgresDialect, executor));
    await executor.run('commit', []);
    return result;
  } catch (error) {
    // If even the rollback fails, the pool discards the connection.
    await client.query(withTimeout({ text: 'rollback' }, ANSWER_TIMEOUT_MS)).catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(connectionError);
  }
}

/** Begins a transaction that holds the writer lock. */
async function begin(client: pg.ClientBase): Promise<void> {
  await client.query(withTimeout({ text: 'begin' }, ANSWER_TIMEOUT_MS));
  const lock = { text: 'select pg_advisory_xact_lock($1)', values: [WRITER_LOCK] };
  await client.query(withTimeout(lock, LOCK_TIMEOUT_MS + ANSWER_TIMEOUT_MS));
}
