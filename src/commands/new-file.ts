import { existsSync, rmSync, writeSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { CommandError } from '../errors/operator-error.ts';
import type { Context } from './command.ts';

type Write = (partial: string) => Promise<void>;
type OnKilled = Context['onKilled'];

/**
 * Writes `path` under the name `path.partial`, and renames it when it is complete. Throws if `path` exists, but replaces
 * a partial file: a command that was killed by SIGKILL leaves one.
 */
export const writeNewFile = (path: string, write: Write, onKilled: OnKilled = () => () => undefined): Promise<void> =>
  // Created here, so that a folder that is missing or read-only is a system error, whatever writes the file.
  writeNew('file', path, (partial) => writeFile(partial, '', { flag: 'wx' }), write, onKilled);

/** The same for a folder, in which `write` writes files. */
export const writeNewFolder = (path: string, write: Write, onKilled: OnKilled): Promise<void> =>
  writeNew('folder', path, (partial) => mkdir(partial), write, onKilled);

async function writeNew(kind: string, path: string, create: Write, write: Write, onKilled: OnKilled): Promise<void> {
  const refuse = () => {
    if (existsSync(path)) throw new CommandError('E_OUTPUT', `${path}: the ${kind} exists already`);
  };
  refuse();
  const partial = `${path}.partial`;
  const removal = { force: true, recursive: kind === 'folder' };
  const stopWatching = onKilled(() => rmSync(partial, removal));
  try {
    // A symbolic link in its place must not be followed.
    await rm(partial, removal);
    await create(partial);
    await write(partial);
    refuse();
    await rename(partial, path);
  } catch (error) {
    await rm(partial, removal).catch(() => undefined);
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
