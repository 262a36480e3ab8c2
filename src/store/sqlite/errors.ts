import { CorruptDatabaseError, StoreUnavailableError } from '../store.ts';

/** Causes that can pass without a change of the file: locks, a full disk, permissions, failures of the disk. */
const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|READONLY|PERM|CANTOPEN|IOERR|PROTOCOL)/;
const CORRUPT = /^SQLITE_(?:CORRUPT|NOTADB)/;
/** System errors when the folder is created, such as EACCES. */
const SYSTEM_ERROR = /^E[A-Z]+$/;

/** Names the file in an error that an operator can act on. Other errors are returned unchanged. */
export function asStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const isSystemError = syscall !== undefined && SYSTEM_ERROR.test(code);
  const message = `${path}: ${error.message}`;
  if (isSystemError || UNAVAILABLE.test(code)) return new StoreUnavailableError(message, { cause: error });
  return CORRUPT.test(code) ? new CorruptDatabaseError(message, { cause: error }) : error;
}
