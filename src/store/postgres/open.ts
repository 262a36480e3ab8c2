import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { postgresDialect } from '../dialect.ts';
import { hasPendingMigrations, migrate, requireMigrated } from '../migrate.ts';
import type { OpenOptions } from '../open-options.ts';
import { createOutage } from '../outage.ts';
import { statement } from '../statement.ts';
import { MAX_STREAMS, type Store, StoreUnavailableError } from '../store.ts';
import { CONNECTION_OPTIONS, sessionSettings, withTimeout } from './connection.ts';
import { withUnavailable } from './errors.ts';
import { createPostgresLock } from './indexer-lock.ts';
import { MigrationDialect } from './migration-dialect.ts';
import { createPostgresReader, createPostgresStreamReader, LOOKUP_LIMITS, LOOKUP_SETTINGS } from './reader.ts';
import { requireSessions } from './require-sessions.ts';
import { LOCK_TIMEOUT_MS, runPostgresTransaction } from './transaction.ts';
import { createPostgresVersion } from './version.ts';

// Counts, block numbers and times fit a double. By default the driver returns bigint as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

interface PostgresLocation {
  readonly url: string;
  /** The number of connections for lookups. */
  readonly poolSize: number;
}

/** A process has one or two write transactions at a time. In a pool of their own, they never keep lookups waiting. */
const WRITERS = 4;
/** As long as connecting may take. */
const SETTINGS_TIMEOUT_MS = 5_000;
/** How long a migration waits for write transactions in progress, and for locks on tables. */
const MIGRATION_LOCK_TIMEOUT = `'20min'`;

// Takes no lock on a table, unlike the sizes of tables, so that it does not wait for a migration.
const DATABASE_SIZE = statement<object, { bytes: number }>((db) =>
  db.selectNoFrom(sql<number>`pg_database_size(current_database())`.as('bytes')),
);

/** Connects to the database and migrates it if needed. */
export async function openPostgres({ url, poolSize }: PostgresLocation, options: OpenOptions): Promise<Store> {
  const outage = createOutage(options);
  const createPool = (max: number, settings: Readonly<Record<string, string>>) => {
    const text = sessionSettings(settings);
    const pool = new pg.Pool({
      connectionString: url,
      application_name: 'kith',
      ...CONNECTION_OPTIONS,
      max,
      onConnect: async (client) => void (await client.query(withTimeout({ text }, SETTINGS_TIMEOUT_MS))),
    });
    // The pool adds the client to its error, which does not belong in a log.
    return pool.on('error', (cause) => outage.fail(new StoreUnavailableError('a connection was lost', { cause })));
  };
  await withUnavailable(() => requireSessions(url));
  const migrations = createPool(1, { lock_timeout: MIGRATION_LOCK_TIMEOUT });
  // Without a listener, a connection that is lost while it migrates would end the process. The query rejects as well.
  migrations.on('connect', (client) => client.on('error', () => undefined));
  try {
    const db = new Kysely<unknown>({ dialect: new MigrationDialect({ pool: migrations }) });
    await withUnavailable(async () => {
      if (options.mustExist) await requireMigrated(db);
      if (await hasPendingMigrations(db, postgresDialect)) await migrate(db, postgresDialect, false);
    });
  } finally {
    await migrations.end();
  }
  const version = createPostgresVersion({ url, outage });
  await version.ready;
  const readers = createPool(poolSize, { ...LOOKUP_SETTINGS, ...LOOKUP_LIMITS });
  // A slow client keeps a connection for as long as its response takes.
  const streamReaders = createPool(MAX_STREAMS, { ...LOOKUP_SETTINGS, ...LOOKUP_LIMITS });
  const reader = createPostgresReader(readers, outage);
  const writers = createPool(WRITERS, { lock_timeout: `${LOCK_TIMEOUT_MS}` });
  const transaction: Store['transaction'] = async (work) => {
    try {
      return await runPostgresTransaction(writers, work);
    } catch (error) {
      if (error instanceof StoreUnavailableError) outage.fail(error);
      throw error;
    }
  };
  return {
    engine: 'postgres',
    reader,
    heavy: { reader, concurrency: Math.max(1, Math.floor(poolSize / 3)) },
    streams: createPostgresStreamReader(streamReaders, outage),
    version,
    transaction,
    createIndexerLock: () => createPostgresLock({ transaction, url }),
    async readSize() {
      const [size] = await reader.all(DATABASE_SIZE, {});
      return { database: size?.bytes ?? 0, wal: null };
    },
    poolUsage: () => {
      const { totalCount, idleCount: idle, waitingCount: waiting } = readers;
      return { used: totalCount - idle, idle, waiting };
    },
    async close() {
      await version.close();
      await Promise.all([readers.end(), streamReaders.end(), writers.end()]);
    },
  };
}
