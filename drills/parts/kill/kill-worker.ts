import { failuresIn, readAnswers, startCheckers } from '../../harness/checkers.ts';
import { makeGraph } from '../../harness/graphs.ts';
import { startKith } from '../../harness/kith.ts';
import { sleep, until } from '../../harness/numbers.ts';
import { childrenOf } from '../../harness/process-samples.ts';
import { pathsAbout } from '../../harness/subjects.ts';
import type { KillRound } from './prepare.ts';

const WORKERS = 2;
const CLIENTS = 8;
const REPLACED_LIMIT_MS = 15_000;

/** Kills one of two workers under load: it is replaced, and only connections to it fail. */
export const killWorker: KillRound = async ({ random }) => {
  const { url, subjects } = await makeGraph(2_000);
  const server = await startKith('serve', { DATABASE_URL: url, WORKERS: String(WORKERS) });
  try {
    const found: string[] = [];
    if (!(await until(() => childrenOf(server.pid).length === WORKERS, REPLACED_LIMIT_MS)))
      found.push('too few workers');
    const paths = Array.from({ length: 5 }, () => random.pick(subjects)).flatMap(pathsAbout);
    const answers = await readAnswers(server.port, paths);
    const checkers = startCheckers(server.port, answers, { clients: CLIENTS, pauseMs: 2 });
    await sleep(200 + random.int(800));
    const victim = random.pick(childrenOf(server.pid));
    process.kill(victim, 'SIGKILL');
    const isReplaced = await until(() => {
      const pids = childrenOf(server.pid);
      return pids.length === WORKERS && !pids.includes(victim);
    }, REPLACED_LIMIT_MS);
    await sleep(1_000);
    const summary = await checkers.stop();
    if (!isReplaced) found.push('the worker was not replaced');
    const { 0: broken = 0, ...other } = summary.other;
    // Each client has at most one request in flight on a connection to the killed worker.
    if (broken > CLIENTS) found.push(`${broken} failed connections of ${CLIENTS} clients`);
    found.push(...failuresIn({ ...summary, other }));
    if (summary.right === 0) found.push('no answer');
    return found;
  } finally {
    await server.stop();
  }
};
