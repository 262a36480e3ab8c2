import { closeSync, copyFileSync, openSync, renameSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Trial } from '../../drill.ts';
import { type Answers, describeOther, readAnswers, startCheckers } from '../../harness/checkers.ts';
import { type Graph, makeGraph, pathsOf } from '../../harness/graphs.ts';
import { runKith, startKith } from '../../harness/kith.ts';
import { sleep, until } from '../../harness/numbers.ts';
import { writeProfile } from '../../harness/profile-file.ts';
import { request } from '../../harness/request.ts';
import type { FileOutcome } from '../sqlite.ts';

interface Damage {
  readonly fault: string;
  /** Damages the file that the server has open. */
  cause(path: string): Promise<void>;
  /** Statuses that requests may have. */
  readonly mayAnswer: readonly number[];
  /** Whether /ready has to turn to 503. */
  readonly isNoticed: boolean;
}

const NOTICED_LIMIT_MS = 15_000;

/** What happens to a server whose file is damaged. */
export async function damage(trial: Trial, graph: Graph): Promise<FileOutcome[]> {
  const other = await makeGraph(100);
  const file = join(trial.folder, 'profile.ndjson');
  const commit = (path: string) => {
    writeProfile(file, 'other.eth');
    return runKith(['import', 'profiles', file], { DATABASE_URL: `sqlite:${path}` });
  };
  const damages: Damage[] = [
    {
      fault: 'a page of the followers corrupt',
      cause: async (path) => corrupt(path, rootOf(path, 'edges')),
      mayAnswer: [200, 500, 503],
      isNoticed: false,
    },
    {
      fault: 'the first page corrupt',
      cause: async (path) => corrupt(path, 1),
      mayAnswer: [200, 500, 503],
      isNoticed: false,
    },
    {
      fault: 'file truncated to a half',
      cause: async (path) => truncateSync(path, statSync(path).size / 2),
      mayAnswer: [200, 500, 503],
      isNoticed: false,
    },
    {
      fault: 'file replaced',
      async cause(path) {
        copyFileSync(other.path, `${path}.other`);
        renameSync(`${path}.other`, path);
      },
      mayAnswer: [200, 503],
      isNoticed: true,
    },
    { fault: 'file deleted', cause: async (path) => rmSync(path), mayAnswer: [200, 503], isNoticed: true },
    {
      fault: '-wal deleted',
      async cause(path) {
        // The file has commits that are not in the database file yet.
        await commit(path);
        rmSync(`${path}-wal`);
      },
      mayAnswer: [200, 503],
      isNoticed: true,
    },
  ];
  const reference = await startKith('serve', { DATABASE_URL: graph.url });
  const answers = await readAnswers(reference.port, pathsOf(graph));
  await reference.stop();
  const outcomes: FileOutcome[] = [];
  for (const one of damages) {
    const outcome = await serveDamaged(trial, graph, answers, one);
    trial.log(`${outcome.fault}: ${outcome.observed}`);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function serveDamaged(
  { folder, isQuick }: Trial,
  graph: Graph,
  answers: Answers,
  damaged: Damage,
): Promise<FileOutcome> {
  const { fault, cause, mayAnswer, isNoticed } = damaged;
  const path = join(folder, `${fault.replaceAll(/\W+/g, '-')}.db`);
  copyFileSync(graph.path, path);
  const server = await startKith('serve', { DATABASE_URL: `sqlite:${path}`, CACHE_MB: '0' });
  try {
    await cause(path);
    const checkers = startCheckers(server.port, answers, { clients: 4, pauseMs: 10, timeoutMs: 10_000 });
    const isNotReady = async () => (await request(server.port, '/ready', { timeoutMs: 5_000 })).status === 503;
    const wasNoticed = isNoticed ? await until(isNotReady, NOTICED_LIMIT_MS, 200) : await isNotReady();
    await sleep(isQuick ? 2_000 : 5_000);
    const { right, wrong, unavailable, other } = await checkers.stop();
    const isNamed = server.output().includes(basename(path));
    const found: string[] = [];
    if (!server.isAlive()) found.push('the process exited');
    if (wrong > 0) found.push(`${wrong} wrong answers`);
    const unexpected = Object.fromEntries(
      Object.entries(other).filter(([status]) => !mayAnswer.includes(Number(status))),
    );
    if (Object.keys(unexpected).length > 0) found.push(describeOther(unexpected));
    if (isNoticed && !wasNoticed) found.push('/ready stays 200');
    const isFaulty = isNoticed || unavailable > 0 || Object.keys(other).length > 0;
    if (isFaulty && !isNamed) found.push('the log does not name the file');
    const ready = `/ready ${wasNoticed ? 503 : 200}`;
    const bar = isNoticed ? '/ready 503, no wrong answer' : 'no wrong answer, the process lives';
    return {
      fault,
      bar,
      wrong: found,
      observed: `${right} right, ${unavailable} × 503, ${describeOther(other)}, ${ready}`,
    };
  } finally {
    await server.stop();
  }
}

/** The first page of a table or index. */
function rootOf(path: string, table: string): number {
  const db = new Database(path, { readonly: true });
  try {
    return Number(db.prepare('select rootpage from sqlite_master where name = ?').pluck().get(table));
  } finally {
    db.close();
  }
}

/** The size that SQLite gives new databases. */
const PAGE_SIZE = 4096;

function corrupt(path: string, page: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(PAGE_SIZE, 0xa5), 0, PAGE_SIZE, (page - 1) * PAGE_SIZE);
  closeSync(file);
}
