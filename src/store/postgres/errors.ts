import type pg from 'pg';
import type { Outage } from '../outage.ts';
import { CorruptDatabaseError, NoPrimaryError, StoreUnavailableError } from '../store.ts';

/**
 * Runs `work`; throws connection errors, timeouts and a full disk as `StoreUnavailableError`, damaged pages as
 * `CorruptDatabaseError`, which it reports to `outage`, and other errors unchanged.
 */
export async function withUnavailable<T>(work: () => Promise<T>, outage?: Outage): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = asUnavailable(error);
    outage?.fail(reason);
    throw reason;
  }
}

/** Codes of system errors, such as ECONNREFUSED and EAI_AGAIN, but not those of Node (ERR_…) or of Kith. */
const SYSTEM_ERROR = /^E(?:AI_)?[A-Z]+$/;
/**
 * SQLSTATE classes: connection exception, invalid catalog name, insufficient resources, operator intervention (which
 * includes a statement timeout).
 */
const UNAVAILABLE_CLASSES = ['08', '3D', '53', '57'];
/** `lock_timeout` has expired. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** A write or LISTEN on a standby, or on a server that is fenced or being switched over. */
const READ_ONLY = '25006';
/** The server is starting or shutting down, or has ended the session: admin_shutdown, crash_shutdown, cannot_connect_now. */
const RESTARTING = ['57P01', '57P02', '57P03'];
const DISK_FULL = '53100';
/** serialization_failure, deadlock_detected */
const CONFLICTS = ['40001', '40P01'];
/** Data and index corrupted. */
const CORRUPT = ['XX001', 'XX002'];

const READ_ONLY_TEXT = 'the database is read-only: a standby, or a server that is fenced or being switched over';

/** The error as a `StoreUnavailableError` if it is an outage, or unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const { code } = error as { code?: unknown };
  const { message } = error;
  const options = { cause: error };
  if (typeof code !== 'string') {
    const isLost = /^Connection terminated|timeout|not queryable/.test(message);
    return isLost ? new StoreUnavailableError(`the database cannot be reached: ${message}`, options) : error;
  }
  if (code === LOCK_NOT_AVAILABLE)
    return new StoreUnavailableError('the database is locked by another session', options);
  if (code === READ_ONLY) return new NoPrimaryError('E_READ_ONLY_DATABASE', READ_ONLY_TEXT, options);
  if (RESTARTING.includes(code)) {
    const text = `the database server is restarting, or has ended the connection: ${message}`;
    return new NoPrimaryError('E_DATABASE_RESTARTING', text, options);
  }
  if (code === DISK_FULL) {
    return new StoreUnavailableError('the disk of the database server is full; free some space on it', options);
  }
  if (CORRUPT.includes(code)) {
    return new CorruptDatabaseError(`${message}; restore a backup, or index into a new database`, options);
  }
  const isUnavailable = SYSTEM_ERROR.test(code) || UNAVAILABLE_CLASSES.includes(code.slice(0, 2));
  // Node's error for a host with several addresses has no message.
  return isUnavailable
    ? new StoreUnavailableError(`the database cannot be reached: ${message || code}`, options)
    : error;
}

/** Whether the server has rolled back a transaction that may succeed if it runs again. */
export function isConflict(error: unknown): error is Error {
  return error instanceof Error && CONFLICTS.includes((error as { code?: string }).code ?? '');
}

/** The reason why a connection ended. */
export function asLostConnection(error: Error): StoreUnavailableError | CorruptDatabaseError {
  const named = asUnavailable(error);
  if (named instanceof StoreUnavailableError || named instanceof CorruptDatabaseError) return named;
  return new StoreUnavailableError(`a connection was lost: ${error.message}`, { cause: error });
}

/** Throws a `NoPrimaryError` if the server would refuse to write on this connection. */
export async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ value: string }>("select current_setting('transaction_read_only') as value");
  if (rows[0]?.value === 'on') throw new NoPrimaryError('E_READ_ONLY_DATABASE', READ_ONLY_TEXT);
}
