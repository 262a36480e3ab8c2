import { access, constants, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const RAM_DISK = '/dev/shm';
/** Enough for the PostgreSQL databases of all workers. Docker gives a container 64 MiB by default. */
const NEEDED_BYTES = 2 * 2 ** 30;

/** The folder for database files: a RAM disk if there is one with enough room, the temporary folder otherwise. */
export async function databaseFolder(): Promise<string> {
  try {
    await access(RAM_DISK, constants.W_OK);
    const { bavail, bsize } = await statfs(RAM_DISK);
    return bavail * bsize >= NEEDED_BYTES ? RAM_DISK : tmpdir();
  } catch {
    return tmpdir();
  }
}
