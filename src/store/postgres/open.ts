import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { postgresDialect } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import type { Store } from '../store.ts';
import { withUnavailable } from './errors.ts';
import { createPostgresLock } from './indexer-lock.ts';
import { createPostgresReader, SET_LOOKUP_SETTINGS, withTimeout } from './reader.ts';
import { runPostgresTransaction } from './transaction.ts';
import { createPostgresVersion } from './version.ts';

// Counts, block numbers and times fit a double. By default the driver returns bigint as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const CONNECT_TIMEOUT_MS = 10_000;

export interface PostgresOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Called with errors of background work, which reject no promise. */
  readonly onError: (error: Error) => void;
}

/** Connects to the database and migrates it if needed. */
export async function openPostgres({ url, poolSize, onError }: PostgresOptions): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'kith',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    onConnect: async (client) => void (await client.query(withTimeout({ text: SET_LOOKUP_SETTINGS }))),
  });
  pool.on('error', onError);
  try {
    await withUnavailable(() =>
      migrate(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), postgresDialect, false),
    );
  } catch (error) {
    await pool.end();
    throw error;
  }
  const version = createPostgresVersion({ url, onError });
  await version.ready;
  const reader = createPostgresReader(pool);
  const transaction: Store['transaction'] = (work) => runPostgresTransaction(pool, work);
  return {
    engine: 'postgres',
    reader,
    heavy: { reader, concurrency: Math.max(1, Math.floor(poolSize / 3)) },
    version,
    transaction,
    createIndexerLock: () => createPostgresLock({ transaction, url }),
    async close() {
      await version.close();
      await pool.end();
    },
  };
}
