import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import Database from 'better-sqlite3';
import { CLONE } from '../paths.ts';
import { runKith } from './processes.ts';

/** A demo graph on disk. */
export interface DataSet {
  readonly accounts: number;
  readonly path: string;
  readonly url: string;
}

/** An account that requests are about. */
export interface Subject {
  readonly address: string;
  readonly name: string;
  readonly list: string;
}

export const DATA = `${CLONE}data/bench/`;

/** Accounts with an active list in leaderboard order; the same SQL for both engines. */
export const SUBJECTS = `select accounts.address, coalesce(profiles.name, '') as name, accounts.active_list as list
  from leaderboard join accounts on accounts.id = leaderboard.account
  left join profiles on profiles.address = accounts.address
  where accounts.active_list is not null
  order by leaderboard.followers desc, leaderboard.address_key`;

/** 2026-01-01T00:00:00Z: equal arguments give equal logs. */
const NOW = 1_767_225_600;

export const demoArguments = (accounts: number) => [
  ...['demo', '--seed', '1', '--accounts', String(accounts), '--now', String(NOW)],
];

/** A bulk load of a million accounts needs more than Node's default heap of 4 GB. */
export const HEAP_MB = 12_288;

/** Generates a graph with the build of a clone, unless one that an equal build generated exists. */
export async function makeDataSet(clone: string, accounts: number): Promise<DataSet> {
  mkdirSync(DATA, { recursive: true });
  const path = `${DATA}${accounts}-${hashOfWriters(clone)}.db`;
  const dataSet = { accounts, path, url: `sqlite:${path}` };
  if (existsSync(path)) return dataSet;
  // Renamed when complete, so that an interrupted run leaves no partial data set.
  const draft = `${path}-${process.pid}-draft`;
  await runKith(clone, demoArguments(accounts), { DATABASE_URL: `sqlite:${draft}` }, HEAP_MB);
  const db = new Database(draft);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  renameSync(draft, path);
  return dataSet;
}

/** What serves a graph does not write it. */
const READERS = /^(?:http|live|lookup|web)\//;

/** Identifies the code that a graph depends on. */
function hashOfWriters(clone: string): string {
  const folder = `${clone}src/`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !READERS.test(file))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(folder + file));
  return hash.digest('hex').slice(0, 12);
}

/** Queries a data set directly. `T` must be the row that the statement selects. */
export function select<T>({ path }: DataSet, sql: string, ...params: unknown[]): T[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare<unknown[]>(sql).all(...params) as T[];
  } finally {
    db.close();
  }
}
