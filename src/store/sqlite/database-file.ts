import { statSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import Database from 'better-sqlite3';
import type { Outage } from '../outage.ts';
import { type DatabaseFault, type StoreSize, StoreUnavailableError } from '../store.ts';
import { asStoreError, diskFull } from './errors.ts';

const CHECK_MS = 1_000;
/** A write that failed leaves less: it has grown the WAL until no page was free. */
const MIN_FREE_BYTES = 2 ** 20;

/** The files of an open database. */
export type DatabaseFile = ReturnType<typeof createDatabaseFile>;

/**
 * Checks once a second that the files have been neither deleted nor replaced: the open connections would go on reading,
 * and writing, files that no other process sees.
 */
export function createDatabaseFile(path: string, outage: Outage) {
  const files = [path, `${path}-wal`, `${path}-shm`].map((file) => ({ file, opened: idOf(file) }));
  let failure: StoreUnavailableError | null = null;
  const check = () => {
    const changed = files.find(({ file, opened }) => idOf(file) !== opened);
    if (changed === undefined) {
      failure = null;
      outage.answer();
      return;
    }
    const { file } = changed;
    const event = idOf(file) === undefined ? 'deleted' : 'replaced';
    failure ??= new StoreUnavailableError(
      `${file} was ${event} while it was open; move the original file back or restart Kith`,
    );
    outage.fail(failure);
  };
  const fail = (error: unknown): never => {
    const named = asStoreError(error, path);
    outage.fail(named);
    throw named;
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return {
    /** Whether they are still the ones that were opened, as of the last check. */
    get isIntact() {
      return failure === null;
    },
    /** Runs a read. Names the file in its error, and throws without reading if the files are not intact. */
    read<T>(work: () => T): T {
      if (failure !== null) throw failure;
      try {
        return work();
      } catch (error) {
        return fail(error);
      }
    },
    /** The same for asynchronous work, but checks the files first. */
    async guard<T>(work: () => Promise<T>): Promise<T> {
      check();
      if (failure !== null) throw failure;
      try {
        return await work();
      } catch (error) {
        return fail(error);
      }
    },
    /** What reads and writes have met, or a full disk, which a process that only reads does not meet. */
    readFault: async (): Promise<DatabaseFault | null> =>
      outage.current() ?? ((await isDiskFull(path)) ? diskFull(path) : null),
    close: () => clearInterval(timer),
  };
}

/** Whether no write can be expected to succeed. File systems without a size of their own have no blocks. */
async function isDiskFull(path: string): Promise<boolean> {
  try {
    const { blocks, bavail, bsize } = await statfs(path);
    return blocks > 0 && bavail * bsize < MIN_FREE_BYTES;
  } catch (error) {
    // The file is checked every second.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

export async function readFileSizes(path: string): Promise<StoreSize> {
  const bytesOf = async (file: string) => {
    try {
      return (await stat(file)).size;
    } catch (cause) {
      throw new StoreUnavailableError(`${file} cannot be read`, { cause });
    }
  };
  const [database, wal] = await Promise.all([bytesOf(path), bytesOf(`${path}-wal`)]);
  return { database, wal };
}

/** Identifies a file whatever its name is; undefined if there is none. */
function idOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** More pages than a database can have. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies a database that may be in use to a new file. All pages are copied in one step, because SQLite starts a backup
 * of several steps again whenever another process commits in between. Writers are not blocked.
 */
export async function backupSqlite(path: string, copy: string): Promise<void> {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    await db.backup(copy, { progress: () => ALL_PAGES });
  } finally {
    db.close();
  }
}
