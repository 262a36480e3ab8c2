import { existsSync, mkdirSync, renameSync } from 'node:fs';
import Database from 'better-sqlite3';
import { makeDataSet } from '../../bench/harness/data-sets.ts';
import { CLONE } from '../../bench/paths.ts';
import { runKith } from './kith.ts';
import { inClone } from './paths.ts';
import { pathsAbout, SUBJECTS, type Subject } from './subjects.ts';

/** A demo graph on disk that drills only read. */
export interface Graph {
  readonly accounts: number;
  readonly path: string;
  readonly url: string;
  /** In leaderboard order. */
  readonly subjects: readonly Subject[];
  /** The account with the most followers. */
  readonly top: Subject;
}

/** 2026-01-01T00:00:00Z: equal arguments give equal graphs. */
export const DEMO_NOW = 1_767_225_600;

export const demoArguments = (accounts: number) => [
  ...['demo', '--seed', '1', '--accounts', String(accounts), '--now', String(DEMO_NOW)],
];

/** Generates a graph unless it exists. */
export async function makeGraph(accounts: number): Promise<Graph> {
  const folder = inClone('data/drills/');
  mkdirSync(folder, { recursive: true });
  const path = `${folder}${accounts}.db`;
  if (!existsSync(path)) {
    const draft = `${folder}${accounts}-draft-${process.pid}.db`;
    await runKith(demoArguments(accounts), { DATABASE_URL: `sqlite:${draft}` });
    renameSync(draft, path);
  }
  return graphAt(path, accounts);
}

/** A graph of the benchmark, which is generated once. */
export async function makeLargeGraph(isQuick: boolean): Promise<Graph> {
  if (isQuick) return makeGraph(2_000);
  const { path, accounts } = await makeDataSet(CLONE, 100_000);
  return graphAt(path, accounts);
}

/** Requests about some accounts, to be compared with known answers. */
export const pathsOf = ({ subjects }: Graph) => subjects.slice(0, 20).flatMap(pathsAbout);

function graphAt(path: string, accounts: number): Graph {
  const db = new Database(path, { readonly: true });
  try {
    // Safe: these are the columns that the statement selects.
    const subjects = db.prepare(SUBJECTS).all() as Subject[];
    const [top] = subjects;
    if (top === undefined) throw new Error('the graph is empty');
    return { accounts, path, url: `sqlite:${path}`, subjects, top };
  } finally {
    db.close();
  }
}
