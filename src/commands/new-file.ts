import { existsSync, rmSync, writeSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { CommandError } from '../errors/operator-error.ts';
import type { Context } from './command.ts';

/**
 * Writes `path` under the name `path.partial`, and renames it when it is complete. Throws if `path` exists, but replaces
 * a partial file: a command that was killed by SIGKILL leaves one.
 */
export async function writeNewFile(
  path: string,
  write: (partial: string) => Promise<void>,
  onKilled: Context['onKilled'] = () => () => undefined,
): Promise<void> {
  const refuse = () => {
    if (existsSync(path)) throw new CommandError('E_OUTPUT', `${path}: the file exists already`);
  };
  refuse();
  const partial = `${path}.partial`;
  const stopWatching = onKilled(() => rmSync(partial, { force: true }));
  try {
    // A symbolic link in its place must not be followed.
    await rm(partial, { force: true });
    // Created here, so that a folder that is missing or read-only is a system error, whatever writes the file.
    await writeFile(partial, '', { flag: 'wx' });
    await write(partial);
    refuse();
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw isOutputFault(error) ? new CommandError('E_OUTPUT', `${path}: ${error.message}`, { cause: error }) : error;
  } finally {
    stopWatching();
  }
}

/** SQLITE_FULL: the copy of a database did not fit. */
function isOutputFault(error: unknown): error is NodeJS.ErrnoException {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall !== undefined || code === 'SQLITE_FULL';
}

/** An output that is a file. Node's own stream does not notice that only a part was written, as on a full disk. */
export function createFileOutput(fd: number): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
