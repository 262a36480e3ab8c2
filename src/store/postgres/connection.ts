import pg from 'pg';

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

/** Rejects a query without an answer in time. The connection is then unusable; pools discard it. */
export function withTimeout<C extends pg.QueryConfig>(query: C, timeoutMs: number): C {
  return { ...query, query_timeout: timeoutMs };
}

export interface ClientOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  readonly queryTimeoutMs: number;
}

/** A connection that belongs to no pool. */
export function createClient({ url, name, queryTimeoutMs }: ClientOptions): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: name,
    ...CONNECTION_OPTIONS,
    query_timeout: queryTimeoutMs,
  });
}

/** Connects, runs `work` and closes the connection. */
export async function withClient<T>(options: ClientOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
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
