import { OperatorError } from '../../protocol/operator-error.ts';
import { StoreUnavailableError } from '../store.ts';

/** Tells apart a database that is not there from one that refuses. */
export async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** SQLSTATE classes that say the database is not there for us now: connection, catalog, resources, intervention. */
const PASSING_CLASSES = ['08', '3D', '53', '57'];

export function asUnavailable(error: unknown): unknown {
  // The codes of our own errors look like those of system errors.
  if (!(error instanceof Error) || error instanceof OperatorError) return error;
  const { code } = error as { code?: unknown };
  const passing =
    typeof code === 'string'
      ? /^E(?!RR_)[A-Z_]+$/.test(code) || PASSING_CLASSES.includes(code.slice(0, 2))
      : /^Connection terminated|timeout|not queryable/.test(error.message);
  return passing ? new StoreUnavailableError('the database cannot be reached', { cause: error }) : error;
}
