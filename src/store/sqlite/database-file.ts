import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Outage } from '../outage.ts';
import { type StoreSize, StoreUnavailableError } from '../store.ts';
import { asStoreError } from './errors.ts';

const CHECK_MS = 1_000;

/** The files of an open database. */
export interface DatabaseFile {
  /** Whether they are still the ones that were opened, as of the last check. */
  readonly isIntact: boolean;
  /** Runs a read. Names the file in its error, and throws without reading if the files are not intact. */
  read<T>(work: () => T): T;
  /** The same for asynchronous work, but checks the files first. */
  guard<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Checks once a second that the files have been neither deleted nor replaced: the open connections would go on reading,
 * and writing, files that no other process sees.
 */
export function createDatabaseFile(path: string, outage: Outage): DatabaseFile {
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
    if (named instanceof StoreUnavailableError) outage.fail(named);
    throw named;
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return {
    get isIntact() {
      return failure === null;
    },
    read(work) {
      if (failure !== null) throw failure;
      try {
        return work();
      } catch (error) {
        return fail(error);
      }
    },
    async guard(work) {
      check();
      if (failure !== null) throw failure;
      try {
        return await work();
      } catch (error) {
        return fail(error);
      }
    },
    close: () => clearInterval(timer),
  };
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
