import type pg from 'pg';
import { postgresDialect } from '../dialect.ts';
import { createBuilder } from '../prepare.ts';
import type { Transaction } from '../store.ts';
import { createTransaction } from '../transaction.ts';
import { withUnavailable } from './errors.ts';
import { createPostgresExecutor } from './executor.ts';
import { LOOKUP_SETTINGS } from './reader.ts';

/** The advisory lock that serialises the write transactions of all processes. */
const WRITER_LOCK = 0x6b697468;

const builder = createBuilder('postgres');

/** Connections of the pool have the settings of lookups; write transactions use the planner's defaults. */
const BEGIN = ['begin', ...Object.keys(LOOKUP_SETTINGS).map((name) => `set local ${name} to default`)].join('; ');

export async function runPostgresTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await withUnavailable(() => pool.connect());
  let connectionError: Error | undefined;
  // Without a listener, a lost connection would end the process.
  const onError = (error: Error) => {
    connectionError ??= error;
  };
  client.on('error', onError);
  try {
    const executor = createPostgresExecutor(client);
    await executor.run(BEGIN, []);
    await executor.run('select pg_advisory_xact_lock($1)', [WRITER_LOCK]);
    const result = await work(createTransaction(postgresDialect, builder, executor));
    await executor.run('commit', []);
    return result;
  } catch (error) {
    // If even the rollback fails, the pool discards the connection.
    await client.query('rollback').catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(connectionError);
  }
}
