import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoLogs } from '../../../src/demo/demo-logs.ts';
import type { Random } from '../../../test/model/random.ts';
import type { Trial } from '../../drill.ts';
import { DEMO_NOW } from '../../harness/graphs.ts';
import { runKith } from '../../harness/kith.ts';
import { type Digests, digestTables } from '../../harness/table-digests.ts';

/** What the kinds of kills share. */
export interface Setup {
  /** Log files, to be imported in this order. */
  readonly files: readonly string[];
  /** A database with all files, its tables, and one with all files but the last. */
  readonly clean: string;
  readonly expected: Digests;
  readonly base: string;
  /** Durations of clean runs in milliseconds. */
  readonly importMs: number;
  readonly rebuildMs: number;
}

interface Round extends Setup {
  readonly trial: Trial;
  readonly random: Random;
  /** For the names of files. */
  readonly name: string;
}

/** Runs one round and returns what was wrong. */
export type KillRound = (round: Round) => Promise<string[]>;

export const urlOf = (path: string) => ({ DATABASE_URL: `sqlite:${path}` });

/** About 8,000 logs: an import takes a few seconds. */
const ACCOUNTS = 300;
/** The last file is small: it is applied to the graph of the others. */
const SHARES = [0.6, 0.97, 1];

export async function prepare({ folder, log }: Trial): Promise<Setup> {
  const logs = [...demoLogs({ accounts: ACCOUNTS, seed: 1, now: DEMO_NOW })];
  const files = SHARES.map((share, i) => {
    const part = logs.slice(Math.floor((SHARES[i - 1] ?? 0) * logs.length), Math.floor(share * logs.length));
    const file = join(folder, `logs-${i}.ndjson`);
    writeFileSync(file, part.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  });
  const [base, clean, rebuilt] = [join(folder, 'base.db'), join(folder, 'clean.db'), join(folder, 'rebuilt.db')];
  await runKith(['import', 'logs', ...files.slice(0, -1)], urlOf(base));
  const importMs = await timed(() => runKith(['import', 'logs', ...files], urlOf(clean)));
  copyDatabase(clean, rebuilt);
  const rebuildMs = await timed(() => runKith(['rebuild'], urlOf(rebuilt)));
  log(`${logs.length} logs; a clean import takes ${Math.round(importMs)} ms, a rebuild ${Math.round(rebuildMs)} ms`);
  return { files, clean, expected: digestTables(clean), base, importMs, rebuildMs };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Copies a database that no process has open. */
export function copyDatabase(from: string, to: string): void {
  for (const end of ['', '-wal']) if (existsSync(from + end)) copyFileSync(from + end, to + end);
}
