import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from '../../drill.ts';
import type { Graph } from '../../harness/graphs.ts';
import { spawnKith } from '../../harness/kith.ts';
import { sleep } from '../../harness/numbers.ts';
import { writeProfile } from '../../harness/profile-file.ts';
import type { FileOutcome } from '../sqlite.ts';
import { canMount, mountTmpfs } from './tmpfs.ts';

const SIZE = '64m';
const BAR = 'serves, or a clear error';
const LIMIT_MS = 20_000;

/** A database on a read-only file system: each command serves or ends with an error that names the file. */
export async function readOnly({ folder, defer }: Trial, graph: Graph): Promise<FileOutcome[]> {
  const fault = 'read-only file system';
  if (!canMount()) return [{ fault, bar: BAR, observed: 'not run: needs root to mount a tmpfs', wrong: [] }];
  const mount = join(folder, 'read-only');
  mkdirSync(mount);
  const disk = mountTmpfs(mount, SIZE);
  defer(disk.unmount);
  copyFileSync(graph.path, join(mount, 'kith.db'));
  disk.remount('ro');
  const file = join(folder, 'read-only.ndjson');
  writeProfile(file, 'other.eth');
  const outcomes: FileOutcome[] = [];
  for (const args of [['import', 'profiles', file], ['rebuild'], ['serve']]) {
    const kith = spawnKith(args, { DATABASE_URL: `sqlite:${join(mount, 'kith.db')}` });
    const code = await Promise.race([kith.exit(), sleep(LIMIT_MS, 'runs' as const)]);
    await kith.stop();
    const output = kith.output();
    const wrong: string[] = [];
    if (code === 'runs' && args[0] !== 'serve') wrong.push(`still runs after ${LIMIT_MS / 1000} s`);
    if (code === 0) wrong.push('exited with 0');
    const failure = output.split('\n').find((line) => line.includes('"code":"E_')) ?? '{}';
    const { code: errorCode = 'E_INTERNAL', msg = '' } = JSON.parse(failure);
    if (code !== 'runs' && errorCode === 'E_INTERNAL') wrong.push('no error code for operators');
    if (code !== 'runs' && !output.includes('kith.db')) wrong.push('the error does not name the file');
    const shown = `${errorCode}: ${msg.replaceAll(folder, '').slice(0, 120)}`;
    const observed = code === 'runs' ? 'serves' : `exits with ${code}, ${shown}`;
    outcomes.push({ fault: `${fault}: kith ${args[0]}`, bar: BAR, observed, wrong });
  }
  return outcomes;
}
