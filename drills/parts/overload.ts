import { millis, whole } from '../../bench/numbers.ts';
import { atLeast, below } from '../../bench/report/findings.ts';
import { freePort } from '../../test/support/free-port.ts';
import { atMost, type Drill, figure, holds } from '../drill.ts';
import { makeGraph } from '../harness/graphs.ts';
import { startKith } from '../harness/kith.ts';
import { startLoadGenerator } from '../harness/load-generator.ts';
import { sleep } from '../harness/numbers.ts';
import { type Sample, startProbe } from '../harness/probe.ts';
import { residentMegabytes, startSampling } from '../harness/process-samples.ts';
import { detailsOf } from '../harness/subjects.ts';

const FACTOR = 10;
const GOODPUT_BAR = 0.8;
/** Connections of the clients, each with one request in flight. */
const CONNECTIONS = 2_000;
/** The default timeout of a Kubernetes probe. */
const PROBE_BAR_MS = 1_000;
const RECOVERY_BAR_MS = 1_000;
/** Allows for the buffers of the connections. */
const MEMORY_BAR_MB = 100;
/** Latency of a cheap request that counts as normal, on a machine that other processes use. */
const NORMAL_MS = 50;
const WINDOW_MS = 200;

export const overload: Drill = {
  name: 'overload',
  title: 'Ten times the load that the server can serve',
  limitMinutes: 5,
  async run({ isQuick, defer, log }) {
    const graph = await makeGraph(isQuick ? 2_000 : 10_000);
    const [top] = graph.subjects;
    if (top === undefined) throw new Error('the graph is empty');
    const operations = await freePort();
    const env = { DATABASE_URL: graph.url, CACHE_MB: '0', OPERATIONS_PORT: String(operations) };
    const server = await startKith('serve', env);
    defer(server.stop);
    const load = startLoadGenerator();
    defer(load.stop);
    const { port } = server;
    // Expensive enough that one process can offer ten times as many as the server can serve.
    const paths = graph.subjects
      .slice(0, 200)
      .flatMap(({ address }) => [
        `/api/v1/users/${address}/followers?limit=200&include=ens`,
        `/api/v1/users/${address}/searchFollowers?term=a&limit=100`,
        `/api/v1/users/${address}/following?limit=200&include=ens`,
      ]);
    await load.run({ port, paths, ms: 2_000, connections: 8 });
    const best = await load.run({ port, paths, ms: isQuick ? 4_000 : 10_000, connections: 16 });
    const bestRate = best.served / best.seconds;
    log(`best rate: ${whole(bestRate)} per second, p99 ${millis(best.p99)}`);

    const before = residentMegabytes(server.pid);
    const memory = startSampling(() => residentMegabytes(server.pid), 250);
    const health = startProbe(operations, '/health', { everyMs: 100 });
    const shared = startProbe(port, '/health', { everyMs: 500 });
    const metrics = startProbe(operations, '/metrics', { everyMs: 500 });
    const burst = await load.run({
      port,
      paths,
      ms: isQuick ? 10_000 : 30_000,
      connections: CONNECTIONS,
      perSecond: FACTOR * bestRate,
    });
    const endedAt = performance.now();
    const after = startProbe(port, detailsOf(top), { everyMs: 20 });
    await sleep(15_000);
    await after.stop();
    memory.stop();
    const peak = Math.max(...memory.samples.map(([, megabytes]) => megabytes));
    const [healthy, measured, beside] = [await health.stop(), await metrics.stop(), await shared.stop()];
    const goodput = burst.served / burst.seconds;
    const back = recoveryMs(after.samples, endedAt);
    const offered = burst.sent / burst.seconds;
    return [
      figure('best rate, 16 connections', `${whole(bestRate)} per second`),
      atLeast(
        'offered, relative to the best rate',
        FACTOR * 0.9,
        (burst.sent + burst.unsent) / burst.seconds / bestRate,
      ),
      figure('sent', `${whole(offered)} per second, on up to ${whole(CONNECTIONS)} connections`),
      atLeast('served, relative to the best rate', GOODPUT_BAR, goodput / bestRate),
      figure(
        'other answers',
        `${whole(burst.refused)} refused, ${whole(burst.failed)} failed, ${whole(burst.unsent)} not sent`,
      ),
      figure('latency of served requests', `p50 ${millis(burst.p50)}, p99 ${millis(burst.p99)}`),
      atMost('growth of resident memory', MEMORY_BAR_MB, peak - before, ' MB'),
      below('/health, max', PROBE_BAR_MS, healthy.max, `${millis(healthy.max)}, p99 ${millis(healthy.p99)}`),
      below('/metrics, max', PROBE_BAR_MS, measured.max, `${millis(measured.max)}, p99 ${millis(measured.p99)}`),
      figure('/health on the port of the clients', `p50 ${millis(beside.p50)}, max ${millis(beside.max)}`),
      holds(
        '/health and /metrics',
        'none fails',
        healthy.failed + measured.failed === 0,
        `${healthy.failed} and ${measured.failed} failed`,
      ),
      below('normal latency after the burst', RECOVERY_BAR_MS, back),
    ];
  },
};

/** When the first window began in which every request was answered with normal latency. */
function recoveryMs(samples: readonly Sample[], endedAt: number): number {
  const sorted = samples.toSorted((a, b) => a.at - b.at);
  const isNormal = ({ status, ms }: Sample) => status === 200 && ms < NORMAL_MS;
  const first = sorted.find(({ at }) => {
    const within = sorted.filter((other) => other.at >= at && other.at < at + WINDOW_MS);
    return within.length > 1 && within.every(isNormal);
  });
  return first === undefined ? Number.POSITIVE_INFINITY : first.at - endedAt;
}
