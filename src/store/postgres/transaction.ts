import type pg from 'pg';
import { postgresDialect } from '../dialect.ts';
import { NoPrimaryError, StoreUnavailableError, type Transaction, type TransactionOptions } from '../store.ts';
import { runTransaction } from '../transaction.ts';
import { withTimeout } from './connection.ts';
import { isConflict, LOCK_NOT_AVAILABLE, withUnavailable } from './errors.ts';
import { createPostgresExecutor } from './executor.ts';

/** The advisory lock that serialises the write transactions of all processes. */
export const WRITER_LOCK = 0x6b697468;
/** How long a transaction waits for a lock: importing a large file takes a while. */
export const LOCK_TIMEOUT_MS = 60_000;
/** For statements that take no time once they have their lock. */
const ANSWER_TIMEOUT_MS = 10_000;

/** How often a transaction runs that the server rolls back because of others, such as those of an operator. */
const MAX_RUNS = 5;

/**
 * `pool` has no limit on the duration of statements: those of a bulk load take minutes. `onCommit` gets the text of
 * the versions that the transaction has raised.
 */
export async function runPostgresTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  onCommit: (versions: string) => void,
  { once = false }: TransactionOptions = {},
): Promise<T> {
  const maxRuns = once ? 1 : MAX_RUNS;
  for (let runs = 1; ; runs += 1) {
    try {
      return await runOnce(pool, work, onCommit);
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (runs === maxRuns)
        throw new StoreUnavailableError(`another session of the database is in the way: ${error.message}`, {
          cause: error,
        });
    }
  }
}

async function runOnce<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  onCommit: (versions: string) => void,
): Promise<T> {
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
    const { result, raised } = await runTransaction(postgresDialect, executor, work);
    await executor.run('commit', []);
    if (raised !== undefined) onCommit(raised);
    return result;
  } catch (error) {
    // A new connection may lead to the primary.
    if (error instanceof NoPrimaryError) onError(error);
    // If even the rollback fails, the pool discards the connection.
    await client.query(withTimeout({ text: 'rollback' }, ANSWER_TIMEOUT_MS)).catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(connectionError);
  }
}

/** Each statement sees what was committed before it, whatever the default of the database: also while the lock was awaited. */
const BEGIN = 'begin isolation level read committed';

/** Begins a transaction that holds the writer lock. */
async function begin(client: pg.ClientBase): Promise<void> {
  await client.query(withTimeout({ text: BEGIN }, ANSWER_TIMEOUT_MS));
  const lock = { text: 'select pg_advisory_xact_lock($1)', values: [WRITER_LOCK] };
  try {
    await client.query(withTimeout(lock, LOCK_TIMEOUT_MS + ANSWER_TIMEOUT_MS));
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    await client.query(withTimeout({ text: 'rollback' }, ANSWER_TIMEOUT_MS));
    throw new StoreUnavailableError(
      `the database is locked: ${await readWriter(client)} is writing; retry when it is done`,
      { cause: error },
    );
  }
}

const WRITER = `select application_name as name, pg_stat_activity.pid from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and objid = $1 and granted and pg_locks.database =
    (select oid from pg_database where datname = current_database())`;

/** Names the session that holds the writer lock. */
async function readWriter(client: pg.ClientBase): Promise<string> {
  const query = { text: WRITER, values: [WRITER_LOCK] };
  const { rows } = await client.query<{ name: string | null; pid: number }>(withTimeout(query, ANSWER_TIMEOUT_MS));
  const [writer] = rows;
  return writer === undefined ? 'another session' : `${writer.name || 'a session'} (session ${writer.pid})`;
}
