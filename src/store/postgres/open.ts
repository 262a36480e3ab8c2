import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { postgresDialect } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { compile, createBuilder } from '../prepare.ts';
import type { Reader, Store, Transaction } from '../store.ts';
import { createTransaction } from '../transaction.ts';
import { asUnavailable, reach } from './errors.ts';
import { createPostgresExecutor } from './executor.ts';
import { createAdvisoryLock } from './indexer-lock.ts';
import { createPostgresVersion } from './version.ts';

/** One number for all of Kith's advisory locks on writing. */
const WRITER_LOCK = 0x6b697468;

// Counts, heights and seconds all fit a double; text would have to be parsed in every lookup.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A server that does not answer in this time is treated like one that cannot be reached. */
const CONNECT_MS = 10_000;
const LOOKUP_MS = 15_000;

/**
 * Lookups read short ranges of indexes whatever the values are. By itself, the planner would plan a search anew for each
 * term, which took 2 ms, have two more processes help with it, which took another ten, take nearly all accounts to wait
 * to be placed where next to none do, and compile statements for as much work.
 */
const LOOKUP_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
  enable_seqscan: 'off',
  jit: 'off',
};
const SET_FOR_LOOKUPS = Object.entries(LOOKUP_SETTINGS)
  .map(([name, value]) => `set ${name} to ${value}`)
  .join('; ');
/** Transactions read and write whatever there is. */
const BEGIN = ['begin', ...Object.keys(LOOKUP_SETTINGS).map((name) => `set local ${name} to default`)].join('; ');

const builder = createBuilder('postgres');

export interface PostgresOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Hears of trouble that no caller is waiting for. */
  readonly onError: (error: Error) => void;
}

export async function openPostgres({ url, poolSize, onError }: PostgresOptions): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'kith',
    connectionTimeoutMillis: CONNECT_MS,
    onConnect: async (client) => void (await client.query(timed({ text: SET_FOR_LOOKUPS }))),
  });
  pool.on('error', onError);
  try {
    await reach(() => migrate(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), postgresDialect, false));
  } catch (error) {
    await pool.end();
    throw error;
  }
  const version = createPostgresVersion({ url, onError });
  await version.ready;
  const transaction: Store['transaction'] = (work) => runTransaction(pool, work);
  return {
    engine: 'postgres',
    reader: createReader(pool),
    version,
    transaction,
    createIndexerLock: () => createAdvisoryLock({ transaction, url }),
    async close() {
      await version.close();
      await pool.end();
    },
  };
}

async function runTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await reach(() => pool.connect());
  let broken: Error | undefined;
  // Without a listener, a connection that is lost here would end the process.
  const lose = (error: Error) => {
    broken ??= error;
  };
  client.on('error', lose);
  try {
    await client.query(BEGIN);
    await client.query('select pg_advisory_xact_lock($1)', [WRITER_LOCK]);
    const result = await work(createTransaction(postgresDialect, builder, createPostgresExecutor(client)));
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not given back to the pool.
    await client.query('rollback').catch(lose);
    throw asUnavailable(error);
  } finally {
    client.off('error', lose);
    client.release(broken);
  }
}

function createReader(pool: pg.Pool): Reader {
  let prepared = 0;
  return {
    dialect: postgresDialect,
    inSnapshot: (work) => work(),
    direct: null,
    prepare<P, R>(build: Parameters<Reader['prepare']>[0]) {
      const { text, bind } = compile(build(builder));
      const name = `kith-${++prepared}`;
      return async (params: P) => {
        const result = await reach(() => pool.query(timed({ name, text, values: bind(params as object) })));
        return result.rows as R[];
      };
    },
    prepareColumn<P, V>(build: Parameters<Reader['prepareColumn']>[0]) {
      const { text, bind } = compile(build(builder));
      const name = `kith-${++prepared}`;
      return async (params: P) => {
        const values = bind(params as object);
        const result = await reach(() => pool.query<[V]>(timed({ name, text, values, rowMode: 'array' })));
        return result.rows.map(([value]) => value);
      };
    },
  };
}

/** Not for transactions: one may take as long as its work does. */
function timed<C extends pg.QueryConfig>(query: C): C {
  return { ...query, query_timeout: LOOKUP_MS };
}
