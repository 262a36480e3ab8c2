import type pg from 'pg';
import { withClient } from './connection.ts';

/** Statements of transactions may take minutes, so there is no timeout: one that takes longer than this is checked. */
const CHECK_MS = 5_000;
const CHECK_TIMEOUT_MS = 5_000;

/** The answer to a statement that ended a moment ago may still be on its way. */
const IS_RUNNING = `select 1 from pg_stat_activity
  where pid = $1 and (state = 'active' or state_change > clock_timestamp() - interval '3 s')`;

export interface CheckedSession {
  readonly url: string;
  readonly client: pg.Client;
  /** Of the server process. */
  readonly pid: number;
}

export type RunChecked = <T>(statement: () => Promise<T>) => Promise<T>;

/**
 * Runs statements of a session. Asks over another connection whether the server still runs a long one: if it does not,
 * the network has lost the statement or its answer, and the connection is closed, which rejects the statement.
 */
export function createStatementCheck({ url, client, pid }: CheckedSession): RunChecked {
  const check = async () => {
    if (await isRunning(url, pid)) return;
    client.connection.stream.destroy();
  };
  return async (statement) => {
    // A check that fails proves nothing: the next one decides.
    const timer = setInterval(() => check().catch(() => undefined), CHECK_MS);
    try {
      return await statement();
    } finally {
      clearInterval(timer);
    }
  };
}

function isRunning(url: string, pid: number): Promise<boolean> {
  return withClient({ url, name: 'kith-check', queryTimeoutMs: CHECK_TIMEOUT_MS }, async (client) => {
    const { rows } = await client.query(IS_RUNNING, [pid]);
    return rows.length > 0;
  });
}
