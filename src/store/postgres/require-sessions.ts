import type pg from 'pg';
import { OperatorError } from '../../errors/operator-error.ts';
import { withClient } from './connection.ts';

/** The database is behind a connection pooler that gives each transaction another server session. */
export class TransactionPoolerError extends OperatorError {
  readonly code = 'E_TRANSACTION_POOLER';
}

const QUERY_TIMEOUT_MS = 5_000;
/** A pooler that hands out its sessions in turn is found in the second round at the latest. */
const ROUNDS = 3;

/**
 * Throws if the connection is one to a pooler in transaction mode: notifications, advisory locks, prepared statements
 * and settings belong to a session.
 */
export async function requireSessions(url: string): Promise<void> {
  const options = { url, name: 'kith', queryTimeoutMs: QUERY_TIMEOUT_MS };
  await withClient(options, async (client) => {
    // A pooler announces a process id of its own. So do some proxies that keep sessions.
    // Safe: the driver sets it when it has connected; its types leave it out.
    const { processID } = client as pg.Client & { processID?: number };
    if (processID === (await readPid(client))) return;
    await withClient(options, async (other) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        if (await sharesSession(client, other)) {
          throw new TransactionPoolerError(
            'DATABASE_URL leads to a connection pooler in transaction mode; connect to PostgreSQL itself, or use session mode',
          );
        }
      }
    });
  });
}

/** Whether a transaction of `other` runs in the session that was that of `client`, or takes it away from it. */
async function sharesSession(client: pg.Client, other: pg.Client): Promise<boolean> {
  const before = await readPid(client);
  await other.query('begin');
  try {
    if ((await readPid(other)) === before) return true;
    return (await readPid(client)) !== before;
  } finally {
    await other.query('rollback');
  }
}

async function readPid(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
