import { connect, type Socket } from 'node:net';
import { millis } from '../../bench/numbers.ts';
import { below } from '../../bench/report/findings.ts';
import { atMost, type Drill, figure, holds } from '../drill.ts';
import { type Graph, makeLargeGraph } from '../harness/graphs.ts';
import { type KithServer, startKith } from '../harness/kith.ts';
import { sleep, until } from '../harness/numbers.ts';
import { startProbe } from '../harness/probe.ts';
import { request } from '../harness/request.ts';

const GONE = 300;
const QUEUED = 500;
/** Requests that had begun when their client disconnected are finished. */
const WORKED_OFF_BAR = GONE / 2;
/** The default timeout of a Kubernetes probe. */
const HEALTH_BAR_MS = 1_000;

export const goneClients: Drill = {
  name: 'gone-clients',
  title: '300 requests whose clients disconnect; /health behind 500 requests',
  limitMinutes: 5,
  async run({ isQuick, defer }) {
    const graph = await makeLargeGraph(isQuick);
    const server = await startKith('serve', { DATABASE_URL: graph.url, CACHE_MB: '0' });
    defer(server.stop);
    const before = await countLookups(server);
    const gone = send(server, graph, GONE);
    await Promise.all(gone.map((socket) => new Promise((resolve) => socket.once('sent', resolve))));
    for (const socket of gone) socket.destroy();
    await untilIdle(server);
    const workedOff = (await countLookups(server)) - before;

    const queued = send(server, graph, QUEUED);
    defer(() => {
      for (const socket of queued) socket.destroy();
    });
    const began = performance.now();
    const probe = startProbe(server.port, '/health', { everyMs: 50, timeoutMs: 60_000 });
    let answered = 0;
    for (const socket of queued) socket.once('data', () => (answered += 1));
    const isDone = await until(() => answered === QUEUED, 90_000);
    const took = performance.now() - began;
    const { max, p99, failed } = await probe.stop();
    return [
      atMost(`lookups made for ${GONE} clients that are gone`, WORKED_OFF_BAR, workedOff),
      holds(`${QUEUED} queued requests`, 'all answered', isDone, `${answered} in ${millis(took)}`),
      below('/health meanwhile, max', HEALTH_BAR_MS, max, `${millis(max)}, p99 ${millis(p99)}`),
      figure('/health without an answer', String(failed)),
    ];
  },
};

/** Sends expensive requests, each different and on a connection of its own. */
function send({ port }: KithServer, { top }: Graph, count: number): Socket[] {
  return Array.from({ length: count }, (_, i) => {
    const path = `/api/v1/users/${top.address}/followers?limit=1000&include=ens&offset=${i}`;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: drill\r\n\r\n`, () => socket.emit('sent'));
    return socket;
  });
}

/** Lookups that the server has timed. */
async function countLookups({ port }: KithServer): Promise<number> {
  const { body } = await request(port, '/metrics');
  const counts = [...body.matchAll(/^kith_http_request_seconds_count\{route="[^"]*followers"[^}]*\} (\d+)$/gm)];
  return counts.reduce((total, [, count]) => total + Number(count), 0);
}

/** Until the count is the same for a second. */
async function untilIdle(server: KithServer): Promise<void> {
  let last = -1;
  for (let count = await countLookups(server); count !== last; count = await countLookups(server)) {
    last = count;
    await sleep(1_000);
  }
}
