import type pg from 'pg';

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
 * them it would take two hours by default.
 */
const SERVER_KEEPALIVE = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' };

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
