import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from '../../drill.ts';
import { failuresIn, readAnswers, startCheckers } from '../../harness/checkers.ts';
import { type Graph, pathsOf } from '../../harness/graphs.ts';
import { spawnKith, startKith } from '../../harness/kith.ts';
import { differences, digestTables } from '../../harness/table-digests.ts';
import type { FileOutcome } from '../sqlite.ts';
import { canMount, mountTmpfs } from './tmpfs.ts';

/** Free space beside the database: enough for the shared memory of the WAL, not for the import. */
const FREE_BYTES = 2 ** 21;
/** About 12 MB of profiles. */
const PROFILES = 6_000;

/** An import into a full disk changes nothing, requests are answered meanwhile, and it succeeds when there is space. */
export async function diskFull({ folder, defer }: Trial, graph: Graph): Promise<FileOutcome[]> {
  const fault = 'disk full during an import';
  const bar = 'a clear error, nothing changed';
  if (!canMount()) return [{ fault, bar, observed: 'not run: needs root to mount a tmpfs', wrong: [] }];
  const mount = join(folder, 'full');
  mkdirSync(mount);
  const { size } = statSync(graph.path);
  const disk = mountTmpfs(mount, String(size + FREE_BYTES));
  defer(disk.unmount);
  const path = join(mount, 'kith.db');
  copyFileSync(graph.path, path);
  const before = digestTables(path);
  const file = join(folder, 'many.ndjson');
  const lines = Array.from({ length: PROFILES }, (_, i) => {
    const address = `0x${i.toString(16).padStart(40, 'e')}`;
    return `${JSON.stringify({ address, name: '', fresh: 1, records: { description: 'x'.repeat(2_000) } })}\n`;
  });
  writeFileSync(file, lines.join(''));
  const env = { DATABASE_URL: `sqlite:${path}` };
  const server = await startKith('serve', env);
  const found: string[] = [];
  try {
    const answers = await readAnswers(server.port, pathsOf(graph));
    const checkers = startCheckers(server.port, answers, { clients: 4, pauseMs: 10 });
    const failing = spawnKith(['import', 'profiles', file], env);
    const code = await failing.exit();
    const summary = await checkers.stop();
    if (code === 0) found.push('the import succeeded');
    if (!failing.output().includes('kith.db')) found.push('the error does not name the file');
    if (/E_INTERNAL/.test(failing.output())) found.push('the error is E_INTERNAL');
    found.push(...failuresIn(summary), ...differences(digestTables(path), before));
    disk.remount(`size=${4 * size + 2 ** 28}`);
    const again = spawnKith(['import', 'profiles', file], env);
    if ((await again.exit()) !== 0) found.push(`with space: ${again.output().slice(0, 200)}`);
    const observed = `the import exits with ${code} and changes nothing, ${summary.right} right answers meanwhile; with space it succeeds`;
    return [{ fault, bar, observed, wrong: found }];
  } finally {
    await server.stop();
  }
}
