import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';

/** A graph of the demo generator, on disk. */
export interface DataSet {
  readonly accounts: number;
  readonly path: string;
}

/** An account as it can be asked for. */
export interface Subject {
  readonly address: string;
  readonly name: string;
  readonly list: string;
}

const FOLDER = fileURLToPath(new URL('../../../data/bench/', import.meta.url));
const KITH = fileURLToPath(new URL('../../../bin/kith.js', import.meta.url));

/** Makes a graph, unless an earlier run has left it. */
export async function makeDataSet(accounts: number): Promise<DataSet> {
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}${accounts}.db`;
  if (existsSync(path)) return { accounts, path };
  // Under another name until it is whole.
  const draft = `${FOLDER}${accounts}-draft.db`;
  for (const end of ['', '-wal', '-shm']) rmSync(draft + end, { force: true });
  const child = spawn(process.execPath, [KITH, 'demo', '--accounts', String(accounts), '--seed', '1'], {
    env: { ...process.env, DATABASE_URL: `sqlite:${draft}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`kith demo ended with ${code}`);
  const db = new Database(draft);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  renameSync(draft, path);
  return { accounts, path };
}

/** Everybody who has a list, the best ranked first. */
export function readSubjects({ path }: DataSet): Subject[] {
  const db = new Database(path, { readonly: true });
  try {
    // Safe: the statement names its columns so.
    return db
      .prepare(
        `select leaderboard.address, leaderboard.name, accounts.active_list as list
         from leaderboard join accounts on accounts.address = leaderboard.address
         where accounts.active_list is not null order by leaderboard.place, leaderboard.address`,
      )
      .all() as Subject[];
  } finally {
    db.close();
  }
}
