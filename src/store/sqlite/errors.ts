import { CorruptDatabaseError, StoreUnavailableError } from '../store.ts';

/** Causes that can pass without a change of the file: locks, a full disk, permissions, failures of the disk. */
const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|READONLY|PERM|CANTOPEN|IOERR|PROTOCOL)/;
const CORRUPT = /^SQLITE_(?:CORRUPT|NOTADB)/;
/** System errors when the folder is created, such as EACCES. */
const SYSTEM_ERROR = /^E[A-Z]+$/;

/** Names the file in an error of SQLite that an operator can act on. Other errors are returned unchanged. */
export function asStoreError(error: unknown, path: string): unknown {
  return nameFile(error, path, UNAVAILABLE);
}

/** The same for the errors of opening a file, which may be those of the file system. */
export function asOpenError(error: unknown, path: string): unknown {
  const isSystemError = (error as NodeJS.ErrnoException | null)?.syscall !== undefined;
  return nameFile(error, path, isSystemError ? SYSTEM_ERROR : UNAVAILABLE);
}

function nameFile(error: unknown, path: string, unavailable: RegExp): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const message = `${path}: ${error.message}`;
  if (unavailable.test(code)) return new StoreUnavailableError(message, { cause: error });
  return CORRUPT.test(code) ? new CorruptDatabaseError(message, { cause: error }) : error;
}
