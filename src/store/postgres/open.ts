import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { postgresDialect } from '../dialect.ts';
import { hasPendingMigrations, migrate, requireMigrated } from '../migrate.ts';
import { createOutage } from '../outage.ts';
import { statement } from '../statement.ts';
import { MAX_STREAMS, type OpenOptions, type Store } from '../store.ts';
import {
  CONNECTION_OPTIONS,
  firstQuery,
  requireSessions,
  SELECT_SERVER,
  sessionSettings,
  WRITERS,
} from './connection.ts';
import { asLostConnection, asUnavailable, withUnavailable } from './errors.ts';
import { createPostgresLock } from './indexer-lock.ts';
import {
  createPostgresReader,
  createPostgresSnapshots,
  createPostgresStreamReader,
  LOOKUP_LIMITS,
  LOOKUP_SETTINGS,
  STREAM_LIMITS,
} from './reader.ts';
import { LOCK_TIMEOUT_MS, runPostgresTransaction, WRITER_LOCK } from './transaction.ts';
import { createPostgresVersion } from './version.ts';

// Counts, block numbers and times fit a double. By default the driver returns bigint as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

interface PostgresLocation {
  readonly url: string;
  /** The number of connections for lookups. */
  readonly poolSize: number;
}

/** How long a migration waits for write transactions in progress, and for locks on tables. */
const MIGRATION_LOCK_TIMEOUT = `'20min'`;

// Takes no lock on a table, unlike the sizes of tables, so that it does not wait for a migration.
const DATABASE_SIZE = statement<object, { bytes: number }>((db) =>
  db.selectNoFrom(sql<number>`pg_database_size(current_database())`.as('bytes')),
);

/** Connects to the database and migrates it if needed. */
export async function openPostgres({ url, poolSize }: PostgresLocation, options: OpenOptions): Promise<Store> {
  const { name } = options;
  // Safe: an Error remains one.
  const onError = (error: Error) => options.onError(asUnavailable(error) as Error);
  const outage = createOutage({ ...options, onError });
  const servers = new WeakMap<pg.ClientBase, string | undefined>();
  const createPool = (max: number, settings: Readonly<Record<string, string>>, application_name = 'kith') => {
    const text = sessionSettings(settings);
    const pool = new pg.Pool({
      connectionString: url,
      application_name,
      ...CONNECTION_OPTIONS,
      max,
      async onConnect(client) {
        await firstQuery(client, text);
        const [row] = await firstQuery<{ server: string }>(client, SELECT_SERVER);
        servers.set(client, row?.server);
      },
    });
    return pool.on('error', (error) => outage.fail(asLostConnection(error)));
  };
  await withUnavailable(() => requireSessions(url));
  const migrations = createPool(1, { lock_timeout: MIGRATION_LOCK_TIMEOUT });
  // Without a listener, a connection that is lost while it migrates would end the process. The query rejects as well.
  migrations.on('connect', (client) => client.on('error', () => undefined));
  try {
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: migrations }) });
    await withUnavailable(async () => {
      if (options.mustExist) await requireMigrated(db, postgresDialect);
      if (!(await hasPendingMigrations(db, postgresDialect))) return;
      // A write transaction checks the schema when it begins, so none may run meanwhile. Before anything else, because Kysely
      // reads all tables, which fails while another process drops one. The lock ends with the only connection of the pool.
      await sql`select pg_advisory_lock(${sql.lit(WRITER_LOCK)})`.execute(db);
      await migrate(db, postgresDialect, false);
    });
  } finally {
    await migrations.end();
  }
  const version = createPostgresVersion({ url, outage });
  await version.ready;
  const readers = createPool(poolSize, { ...LOOKUP_SETTINGS, ...LOOKUP_LIMITS });
  const streamReaders = createPool(MAX_STREAMS, { ...LOOKUP_SETTINGS, ...STREAM_LIMITS });
  const reader = createPostgresReader(readers, outage);
  const writers = createPool(WRITERS, { lock_timeout: `${LOCK_TIMEOUT_MS}` }, name);
  for (const pool of [readers, streamReaders, writers]) {
    pool.on('acquire', (client) => version.uses(servers.get(client)));
  }
  const transaction: Store['transaction'] = async (work, more) => {
    try {
      return await runPostgresTransaction(writers, work, version.committed, more);
    } catch (error) {
      outage.fail(error);
      throw error;
    }
  };
  return {
    engine: 'postgres',
    reader,
    short: createPostgresReader(readers, outage, { isShort: true }),
    heavy: { reader, concurrency: Math.max(1, Math.floor(poolSize / 3)) },
    streams: createPostgresStreamReader(streamReaders, outage),
    snapshots: createPostgresSnapshots(readers, outage),
    version,
    transaction,
    createIndexerLock: () => createPostgresLock({ transaction, name, url }),
    async readSize() {
      const [size] = await reader.all(DATABASE_SIZE, {});
      return { database: size?.bytes ?? 0, wal: null };
    },
    async readFault() {
      const fault = outage.current();
      // Everybody can read it: what follows a colon may name the server or the database.
      return fault && { code: fault.code, message: fault.message.replace(/:.*/s, '') };
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
