import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Bar } from '../bench/report/findings.ts';
import { renderBars, renderTable } from '../bench/report/render-table.ts';
import { inClone } from './harness/paths.ts';

export interface Result {
  readonly bars: readonly Bar[];
  /** Why the drill did not finish. */
  readonly error: string | null;
  readonly at: string;
  readonly seconds: number;
  readonly seed: number;
}

type KeptResult = Result & { readonly commit: string };

const FOLDER = inClone('data/drills/results/');
const fileOf = (drill: string) => `${FOLDER}${drill}.json`;

/** Saves a result, so that drills can be run separately and shown together. */
export function keepResult(drill: string, result: Result): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(drill), JSON.stringify({ ...result, commit: readCommit() } satisfies KeptResult, null, 1));
}

const [BEGIN, END] = ['<!-- results -->', '<!-- end of results -->'];

/** Replaces the results in the page. */
export function writeResults(drills: readonly { readonly name: string; readonly title: string }[]): string {
  const path = inClone('docs/reliability.md');
  const page = readFileSync(path, 'utf8');
  const kept = drills.flatMap(({ name, title }) => {
    // Safe: only `keepResult` writes these files.
    return existsSync(fileOf(name))
      ? [{ name, title, ...(JSON.parse(readFileSync(fileOf(name), 'utf8')) as KeptResult) }]
      : [];
  });
  const rows = kept.map(({ name, bars, error, at, seconds, seed, commit }) => {
    const missed = bars.filter(({ isReached }) => !isReached).length;
    const outcome = error !== null ? 'not finished' : missed === 0 ? 'passed' : `${missed} bars missed`;
    return [
      `\`${name}\``,
      outcome,
      at.slice(0, 16).replace('T', ' '),
      `${Math.round(seconds)} s`,
      commit,
      String(seed),
    ];
  });
  const [cpu] = cpus();
  const results = [
    `On ${cpus().length} cores of ${cpu?.model ?? 'an unknown CPU'}, Node ${process.version}.`,
    renderTable({ columns: ['drill', 'outcome', 'run (UTC)', 'duration', 'commit', 'seed'], rows }),
    ...kept.flatMap(({ name, title, bars, error }) => [`### ${name}`, `${title}.`, error ?? renderBars(bars)]),
  ].join('\n\n');
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  writeFileSync(path, `${before}${BEGIN}\n\n${results}\n\n${END}${after}`);
  return path;
}

function readCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: inClone('.'), encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
