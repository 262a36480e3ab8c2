import type { Outage } from '../outage.ts';
import { StoreUnavailableError } from '../store.ts';

/**
 * Runs `work`; throws connection errors and timeouts as `StoreUnavailableError`, which it reports to `outage`, and other
 * errors unchanged.
 */
export async function withUnavailable<T>(work: () => Promise<T>, outage?: Outage): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = asUnavailable(error);
    if (reason instanceof StoreUnavailableError) outage?.fail(reason);
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
const LOCK_NOT_AVAILABLE = '55P03';

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const { code } = error as { code?: unknown };
  if (code === LOCK_NOT_AVAILABLE) {
    return new StoreUnavailableError('the database is locked by another session', { cause: error });
  }
  const isUnavailable =
    typeof code === 'string'
      ? SYSTEM_ERROR.test(code) || UNAVAILABLE_CLASSES.includes(code.slice(0, 2))
      : /^Connection terminated|timeout|not queryable/.test(error.message);
  return isUnavailable ? new StoreUnavailableError('the database cannot be reached', { cause: error }) : error;
}
