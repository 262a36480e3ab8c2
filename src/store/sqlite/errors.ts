import { CorruptDatabaseError, type DatabaseFault, StoreUnavailableError } from '../store.ts';

/** Causes that can pass without a change of the file: locks, a full disk, permissions, failures of the disk. */
const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|READONLY|PERM|CANTOPEN|IOERR|PROTOCOL)/;
const CORRUPT = /^SQLITE_(?:CORRUPT|NOTADB)/;
const FREE_SPACE = '; free some space on its disk';
/** What an operator can do, where the message of SQLite does not imply it. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^SQLITE_FULL/, FREE_SPACE],
  [/^SQLITE_CORRUPT/, '; restore a backup, or index into a new database'],
];
/** System errors when the folder is created, such as EACCES. */
const SYSTEM_ERROR = /^E[A-Z]+$/;

/** Names the file in an error of SQLite that an operator can act on. Other errors are returned unchanged. */
export function asStoreError(error: unknown, path: string, unavailable = UNAVAILABLE): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const message = `${path}: ${error.message}${ADVICE.find(([pattern]) => pattern.test(code))?.[1] ?? ''}`;
  if (unavailable.test(code)) return new StoreUnavailableError(message, { cause: error });
  return CORRUPT.test(code) ? new CorruptDatabaseError(message, { cause: error }) : error;
}

/** The same for the errors of opening a file, which may be those of the file system. */
export function asOpenError(error: unknown, path: string): unknown {
  const isSystemError = (error as NodeJS.ErrnoException | null)?.syscall !== undefined;
  return asStoreError(error, path, isSystemError ? SYSTEM_ERROR : UNAVAILABLE);
}

/** What a write would fail with. */
export function diskFull(path: string): DatabaseFault {
  return new StoreUnavailableError(`${path}: database or disk is full${FREE_SPACE}`);
}
