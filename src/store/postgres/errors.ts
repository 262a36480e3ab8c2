import { StoreUnavailableError } from '../store.ts';

/** Runs `work`; throws connection errors as `StoreUnavailableError` and other errors unchanged. */
export async function withUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Codes of system errors, such as ECONNREFUSED and EAI_AGAIN, but not those of Node (ERR_…) or of Kith. */
const SYSTEM_ERROR = /^E(?:AI_)?[A-Z]+$/;
/** SQLSTATE classes: connection exception, invalid catalog name, insufficient resources, operator intervention. */
const UNAVAILABLE_CLASSES = ['08', '3D', '53', '57'];

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  const isUnavailable =
    typeof code === 'string'
      ? SYSTEM_ERROR.test(code) || UNAVAILABLE_CLASSES.includes(code.slice(0, 2))
      : /^Connection terminated|timeout|not queryable/.test(error.message);
  return isUnavailable ? new StoreUnavailableError('the database cannot be reached', { cause: error }) : error;
}
