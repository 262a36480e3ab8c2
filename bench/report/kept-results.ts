import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { DATA } from '../harness/data-sets.ts';
import { CLONE } from '../paths.ts';
import type { Findings } from './findings.ts';

/** Results of a part and the conditions of the measurement. */
export interface Result extends Findings {
  readonly measuredAt: string;
  readonly seconds: number;
  /** Share of CPU steal. */
  readonly stolen: number;
  /** Processes that ran or waited for a core in the last minute, on average. */
  readonly load: number;
  readonly commit: string;
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
}

const FOLDER = `${DATA}results/`;
const fileOf = (part: string) => `${FOLDER}${part}.json`;

export function dated(findings: Findings, seconds: number, stolen: number): Result {
  const [cpu] = cpus();
  return {
    ...findings,
    measuredAt: new Date().toISOString(),
    seconds,
    stolen,
    load: loadavg()[0] ?? Number.NaN,
    commit: readCommit(),
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    node: process.version,
  };
}

/** Saves a result, so that parts can be measured separately and shown together. */
export function keepResult(part: string, result: Result): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(part), `${JSON.stringify(result, null, 1)}\n`);
}

export function readResult(part: string): Result | null {
  // Safe: only `keepResult` writes these files.
  return existsSync(fileOf(part)) ? (JSON.parse(readFileSync(fileOf(part), 'utf8')) as Result) : null;
}

/** Changes of the files that the benchmark writes do not count. */
function readCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: CLONE, encoding: 'utf8' }).trim();
  try {
    const changes = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!bench/RESULTS.md');
    return git('rev-parse', '--short', 'HEAD') + (changes === '' ? '' : ' with changes');
  } catch {
    return 'unknown';
  }
}
