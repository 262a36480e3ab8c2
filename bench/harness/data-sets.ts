import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import Database from 'better-sqlite3';
import { inClone } from '../paths.ts';
import { KITH } from './processes.ts';

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

export const DATA = inClone('data/bench/');

/** Accounts with an active list in leaderboard order; the same SQL for both engines. */
export const SUBJECTS = `select accounts.address, coalesce(profiles.name, '') as name, accounts.active_list as list
  from leaderboard join accounts on accounts.id = leaderboard.account
  left join profiles on profiles.address = accounts.address
  where accounts.active_list is not null
  order by leaderboard.followers desc, leaderboard.address_key`;

/** Generates a graph unless it exists. */
export async function makeDataSet(accounts: number): Promise<DataSet> {
  mkdirSync(DATA, { recursive: true });
  const path = `${DATA}${accounts}.db`;
  const dataSet = { accounts, path, url: `sqlite:${path}` };
  if (existsSync(path)) return dataSet;
  // Renamed when complete, so that an interrupted run leaves no partial data set.
  const draft = `${DATA}${accounts}-draft.db`;
  for (const end of ['', '-wal', '-shm']) rmSync(draft + end, { force: true });
  await makeDemo(accounts, `sqlite:${draft}`);
  const db = new Database(draft);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  renameSync(draft, path);
  return dataSet;
}

/** A bulk load of a million accounts needs more than Node's default heap of 4 GB. */
const HEAP_SIZE = '--max-old-space-size=12288';

export async function makeDemo(accounts: number, url: string): Promise<void> {
  const child = spawn(process.execPath, [HEAP_SIZE, KITH, 'demo', '--accounts', String(accounts), '--seed', '1'], {
    // Not the clone, which may have a file .env.
    cwd: tmpdir(),
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  if (code !== 0) throw new Error(`kith demo exited with ${code ?? signal}`);
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
