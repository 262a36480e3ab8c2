import pg from 'pg';
import { OperatorError } from '../../errors/operator-error.ts';
import { MAX_STREAMS, StoreUnavailableError } from '../store.ts';

/** Options of every connection. */
export const CONNECTION_OPTIONS = {
  /** Also how long a lookup waits for a free connection of the pool. */
  connectionTimeoutMillis: 5_000,
  // Closes a connection whose other end has vanished. After this delay, Node.js probes ten times, once a second.
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
} as const satisfies pg.PoolConfig;

/**
 * Lets the server end the session of a client that has vanished after half a minute, which releases its locks. Without
 * them it would take two hours by default. The user timeout applies while data that the server sent is not acknowledged.
 */
const SERVER_KEEPALIVE = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25000',
};

/** SQL for a new connection: applies `settings` to its session. */
export function sessionSettings(settings: Readonly<Record<string, string>>): string {
  return Object.entries({ ...SERVER_KEEPALIVE, ...settings })
    .map(([name, value]) => `set ${name} to ${value}`)
    .join('; ');
}

/** Identifies the server of a connection, from its start to its end. Its time has microseconds. */
export const SELECT_SERVER = 'select extract(epoch from pg_postmaster_start_time())::text as server';

/** Connections of a process for write transactions, which it has one or two of at a time. In a pool of their own, they never keep lookups waiting. */
export const WRITERS = 4;
/** Beside those of `DATABASE_POOL`: also one for the data version and one for the indexer lock. */
const OTHER_CONNECTIONS = MAX_STREAMS + WRITERS + 2;
/** As long as connecting may take. */
const FIRST_ANSWER_MS = 5_000;

/** Runs the first statement of a connection. A pooler accepts connections before it has a session of the server for them. */
export async function firstQuery<R extends pg.QueryResultRow>(client: pg.ClientBase, text: string): Promise<R[]> {
  try {
    return (await client.query<R>(withTimeout({ text }, FIRST_ANSWER_MS))).rows;
  } catch (cause) {
    if (!(cause instanceof Error) || cause.message !== 'Query read timeout') throw cause;
    throw new StoreUnavailableError(
      `the database accepts a connection, but does not answer on it; behind a connection pooler, the pool may be too small: it needs DATABASE_POOL + ${OTHER_CONNECTIONS} connections for each process`,
      { cause },
    );
  }
}

/** Rejects a query without an answer in time. The connection is then unusable; pools discard it. */
export function withTimeout<C extends pg.QueryConfig>(query: C, timeoutMs: number): C {
  return { ...query, query_timeout: timeoutMs };
}

interface ClientOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** For queries without a deadline of their own. */
  readonly queryTimeoutMs?: number;
}

/** A connection that belongs to no pool. */
export function createClient({ url, name, queryTimeoutMs }: ClientOptions): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: name,
    ...CONNECTION_OPTIONS,
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
  });
}

/** Connects, runs `work` and closes the connection. */
async function withClient<T>(options: ClientOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = createClient(options);
  // Without a listener, a lost connection would end the process; the query rejects as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The database is behind a connection pooler that gives each transaction or statement another server session. */
export class TransactionPoolerError extends OperatorError {
  readonly code = 'E_TRANSACTION_POOLER';
}

/** PgBouncer's answer to BEGIN in statement mode. Its SQLSTATE, a protocol violation, has many other causes. */
const STATEMENT_MODE = /statement pooling mode/;

const poolerError = (mode: 'transaction' | 'statement') =>
  new TransactionPoolerError(
    `DATABASE_URL leads to a connection pooler in ${mode} mode; connect to PostgreSQL itself, or use session mode`,
  );

/** A pooler that hands out its sessions in turn is found in the second round at the latest. */
const ROUNDS = 3;

/**
 * Throws if the connection is one to a pooler in transaction or statement mode: notifications, advisory locks, prepared statements
 * and settings belong to a session.
 */
export async function requireSessions(url: string): Promise<void> {
  const options = { url, name: 'kith', queryTimeoutMs: FIRST_ANSWER_MS };
  await withClient(options, async (client) => {
    // A pooler announces a process id of its own. So do some proxies that keep sessions.
    // Safe: the driver sets it when it has connected; its types leave it out.
    const { processID } = client as pg.Client & { processID?: number };
    if (processID === (await readPid(client))) return;
    await withClient(options, async (other) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        if (await sharesSession(client, other)) throw poolerError('transaction');
      }
    });
  });
}

/** Whether a transaction of `other` runs in the session that was that of `client`, or takes it away from it. */
async function sharesSession(client: pg.Client, other: pg.Client): Promise<boolean> {
  const before = await readPid(client);
  try {
    await other.query('begin');
  } catch (error) {
    throw STATEMENT_MODE.test((error as Error).message) ? poolerError('statement') : error;
  }
  try {
    if ((await readPid(other)) === before) return true;
    return (await readPid(client)) !== before;
  } finally {
    await other.query('rollback');
  }
}

async function readPid(client: pg.Client): Promise<number | undefined> {
  const [row] = await firstQuery<{ pid: number }>(client, 'select pg_backend_pid() as pid');
  return row?.pid;
}
