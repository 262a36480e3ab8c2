import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Trial } from '../../drill.ts';
import { failuresIn, readAnswers, startCheckers } from '../../harness/checkers.ts';
import { type Graph, pathsOf } from '../../harness/graphs.ts';
import { spawnKith, startKith } from '../../harness/kith.ts';
import { sleep } from '../../harness/numbers.ts';
import { writeProfile } from '../../harness/profile-file.ts';
import type { FileOutcome } from '../sqlite.ts';

/** Another process holds the write lock: reads go on, and a command waits for it. */
export async function lockHeld({ folder, isQuick }: Trial, graph: Graph): Promise<FileOutcome[]> {
  const seconds = isQuick ? 8 : 30;
  const path = join(folder, 'locked.db');
  copyFileSync(graph.path, path);
  const env = { DATABASE_URL: `sqlite:${path}` };
  const server = await startKith('serve', env);
  const db = new Database(path);
  try {
    const answers = await readAnswers(server.port, pathsOf(graph));
    db.exec('begin immediate');
    const checkers = startCheckers(server.port, answers, { clients: 4, pauseMs: 10 });
    const file = join(folder, 'locked.ndjson');
    writeProfile(file, 'other.eth');
    const command = spawnKith(['import', 'profiles', file], env);
    await Promise.race([sleep(seconds * 1000), command.exit()]);
    const hasWaited = command.isAlive();
    db.exec('rollback');
    const code = await command.exit();
    const summary = await checkers.stop();
    const found = failuresIn(summary);
    if (!hasWaited || code !== 0) found.push(`the import ended with ${code}: ${command.output().slice(0, 200)}`);
    const observed = `${summary.right} right; the import waited and succeeded`;
    return [
      {
        fault: `write lock held for ${seconds} s by another process`,
        bar: 'reads go on, writes wait',
        observed,
        wrong: found,
      },
    ];
  } finally {
    db.close();
    await server.stop();
  }
}
