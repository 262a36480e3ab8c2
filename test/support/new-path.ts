import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The path of a file that does not exist, in a folder that is removed after the test. */
export async function newPath(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, name);
}
