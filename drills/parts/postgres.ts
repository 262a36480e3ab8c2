import { join } from 'node:path';
import { millis } from '../../bench/numbers.ts';
import { below } from '../../bench/report/findings.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { atMost, type Drill, holds } from '../drill.ts';
import { type Checkers, describeOther, readAnswers, startCheckers } from '../harness/checkers.ts';
import { demoArguments, makeGraph, pathsOf } from '../harness/graphs.ts';
import { runKith, startKith } from '../harness/kith.ts';
import { sleep, until } from '../harness/numbers.ts';
import { MARKED, writeProfile } from '../harness/profile-file.ts';
import { request } from '../harness/request.ts';
import { startTcpProxy } from '../harness/tcp-proxy.ts';
import { createFaults } from './postgres/faults.ts';

const ACCOUNTS = 300;
const POOL = 5;
/** Lookups time out after 15 s. */
const REQUEST_BAR_MS = 20_000;
const RECOVERY_BAR_MS = 20_000;
/** How long a commit may stay invisible: a few seconds to find out that the listening connection is dead. */
const VISIBLE_BAR_MS = 15_000;
/** Beside the pool: the listening connection, the connection of the drill, and cancelled ones that are closing. */
const OTHER_BACKENDS = 5;
/** A line or two per outage from each part that uses the database. */
const WARNINGS_BAR = 10;

export const postgres: Drill = {
  name: 'postgres',
  title: 'Faults of PostgreSQL and of the network to it, under load with known answers',
  limitMinutes: 8,
  async run({ isQuick, folder, defer, log }) {
    const graph = await makeGraph(ACCOUNTS);
    const paths = pathsOf(graph);
    // The answers of the other engine are the known ones.
    const other = await startKith('serve', { DATABASE_URL: graph.url });
    const answers = await readAnswers(other.port, paths);
    await other.stop();
    const server = await startPostgresServer({ settings: { max_connections: 30 } });
    defer(server.stop);
    const direct = { DATABASE_URL: server.url };
    await runKith(demoArguments(ACCOUNTS), direct);
    const proxy = await startTcpProxy(Number(new URL(server.url).port));
    defer(proxy.stop);
    const url = new URL(server.url);
    url.port = String(proxy.port);
    const kith = await startKith('serve', { DATABASE_URL: url.href, DATABASE_POOL: String(POOL) });
    defer(kith.stop);

    let changes = 0;
    /** Commits a change on another connection, and returns how long the old answer was still served. */
    const visibleAfter = async () => {
      const name = `change${++changes}.eth`;
      const file = join(folder, 'profile.ndjson');
      writeProfile(file, name);
      await runKith(['import', 'profiles', file], direct);
      const began = performance.now();
      const isShown = async () => {
        const { status, body } = await request(kith.port, `/api/v1/users/${MARKED}/details`, { timeoutMs: 5_000 });
        return status === 200 && body.includes(name);
      };
      return (await until(isShown, 4 * VISIBLE_BAR_MS)) ? performance.now() - began : Number.POSITIVE_INFINITY;
    };
    await visibleAfter();

    const checkers = startCheckers(kith.port, answers, { clients: 8, pauseMs: 5 });
    await sleep(2_000);
    const bars = [];
    let slowest = 0;
    for (const { name, run, mostBackends } of createFaults({ server, proxy, holdMs: isQuick ? 6_000 : 20_000 })) {
      const began = performance.now();
      const linesBefore = kith.output().length;
      await run();
      const endedAt = performance.now();
      const recovery = await recoveryMs(checkers, endedAt);
      const visible = await visibleAfter();
      const { right, unavailable, other: others, max } = checkers.since(began);
      slowest = Math.max(slowest, max);
      const warnings = kith
        .output()
        .slice(linesBefore)
        .split('\n')
        .filter((line) => /"level":[45]0/.test(line)).length;
      const counts = `${right} right, ${unavailable} × 503, ${describeOther(others)} other`;
      log(`${name}: ${counts}, ${warnings} log lines, back after ${millis(recovery)}`);
      bars.push(
        holds(name, '200 and 503 only', Object.keys(others).length === 0, `${counts}, max ${millis(max)}`),
        below(`${name}: recovery`, RECOVERY_BAR_MS, recovery, limited(recovery)),
        below(`${name}: a later commit is visible`, VISIBLE_BAR_MS, visible, limited(visible)),
        atMost(`${name}: warnings and errors in the log`, WARNINGS_BAR, warnings),
      );
      if (mostBackends !== null) bars.push(atMost(`${name}: backends`, POOL + OTHER_BACKENDS, mostBackends()));
    }
    const { wrong, requests } = await checkers.stop();
    return [
      holds('wrong answers', 'none', wrong === 0, `${wrong} of ${requests}`),
      holds('the process', 'stays alive', kith.isAlive(), kith.isAlive() ? 'alive' : 'exited'),
      below('slowest answer', REQUEST_BAR_MS, slowest),
      ...bars,
    ];
  },
};

const limited = (ms: number) => (Number.isFinite(ms) ? millis(ms) : 'not within the limit');

/** Fewer answers in a second mean that most clients still wait. */
const ANSWERS_PER_SECOND = 20;

/** Until all answers of a second are right. */
async function recoveryMs({ answered }: Checkers, endedAt: number): Promise<number> {
  let back = Number.POSITIVE_INFINITY;
  await until(() => {
    const after = answered.filter(({ at }) => at >= endedAt);
    const last = after.findLast(({ status }) => status !== 200);
    const first = last === undefined ? after[0] : after.find(({ at }) => at > last.at);
    if (first === undefined || performance.now() - first.at < 1_000) return false;
    const recent = after.filter(({ at }) => at >= first.at && at >= performance.now() - 1_000);
    if (recent.length < ANSWERS_PER_SECOND) return false;
    back = first.at - endedAt;
    return true;
  }, 40_000);
  return back;
}
