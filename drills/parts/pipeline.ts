import { connect } from 'node:net';
import { millis, whole } from '../../bench/numbers.ts';
import { atMost, type Drill, figure, holds } from '../drill.ts';
import { makeLargeGraph } from '../harness/graphs.ts';
import { type KithServer, startKith } from '../harness/kith.ts';
import { sleep } from '../harness/numbers.ts';
import { type Probe, startProbe } from '../harness/probe.ts';
import { peakMegabytes, residentMegabytes } from '../harness/process-samples.ts';
import { request } from '../harness/request.ts';
import { detailsOf } from '../harness/subjects.ts';

const CLIENTS = 20;
const REQUESTS = 1_000;
/** A page of 1,000 entries and its socket buffer for each client, several times over. */
const GROWTH_BAR_MB = 250;

export const pipeline: Drill = {
  name: 'pipeline',
  title: '20 clients send 1,000 pipelined requests each and do not read',
  limitMinutes: 5,
  async run({ isQuick, defer, log }) {
    const { url, top } = await makeLargeGraph(isQuick);
    const server = await startKith('serve', { DATABASE_URL: url });
    defer(server.stop);
    const path = `/api/v1/users/${top.address}/followers?limit=1000&include=ens`;
    const before = residentMegabytes(server.pid);
    const { body } = await request(server.port, path);
    log(`an answer has ${whole(body.length)} bytes`);
    const probe = startProbe(server.port, detailsOf(top), { everyMs: 100 });
    const sockets = Array.from({ length: CLIENTS }, (_, client) => {
      const socket = connect(server.port, '127.0.0.1').pause();
      socket.on('error', () => undefined);
      // Different requests, so that their answers are not one body in memory.
      const request = (i: number) => `GET ${path}&drill=${client}-${i} HTTP/1.1\r\nHost: drill\r\n\r\n`;
      socket.write(Array.from({ length: REQUESTS }, (__, i) => request(i)).join(''));
      return socket;
    });
    defer(() => {
      for (const socket of sockets) socket.destroy();
    });
    await untilSettled(server, probe, isQuick ? 60_000 : 120_000);
    const isAlive = server.isAlive();
    const growth = isAlive ? peakMegabytes(server.pid) - before : Number.NaN;
    const { p99, max, failed, count } = await probe.stop();
    return [
      holds('the process', 'stays alive', isAlive, isAlive ? 'alive' : 'exited'),
      atMost('growth of resident memory', GROWTH_BAR_MB, growth, ' MB'),
      holds('details for other clients', 'none fails', failed === 0, `${failed} of ${count} failed`),
      figure('their latency', `p99 ${millis(p99)}, max ${millis(max)}`),
    ];
  },
};

/** Until other clients are answered and the memory has not grown for ten seconds, or the process has exited. */
async function untilSettled(server: KithServer, probe: Probe, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  let [peak, since] = [0, performance.now()];
  while (performance.now() < end && server.isAlive()) {
    const now = peakMegabytes(server.pid);
    const last = probe.samples.at(-1);
    const isAnswered = last?.status === 200 && performance.now() - last.at < 2_000;
    if (now > peak || !isAnswered) [peak, since] = [Math.max(now, peak), performance.now()];
    if (performance.now() - since > 10_000) return;
    await sleep(100);
  }
}
