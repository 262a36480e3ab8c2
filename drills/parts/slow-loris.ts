import { connect } from 'node:net';
import { millis } from '../../bench/numbers.ts';
import { below } from '../../bench/report/findings.ts';
import { type Drill, figure, holds } from '../drill.ts';
import { makeGraph } from '../harness/graphs.ts';
import { startKith } from '../harness/kith.ts';
import { sleep } from '../harness/numbers.ts';
import { startProbe } from '../harness/probe.ts';
import { detailsOf } from '../harness/subjects.ts';

const SOCKETS = 1_000;
const HEADERS = `GET /health HTTP/1.1\r\nHost: drill\r\n${'X-Header: value\r\n'.repeat(100)}`;
/** The default timeout of a Kubernetes probe. */
const LATENCY_BAR_MS = 1_000;

export const slowLoris: Drill = {
  name: 'slow-loris',
  title: '1,000 sockets send one byte of headers per second',
  limitMinutes: 3,
  async run({ isQuick, defer }) {
    const { url, top } = await makeGraph(2_000);
    const server = await startKith('serve', { DATABASE_URL: url });
    defer(server.stop);
    let closed = 0;
    let refused = 0;
    const sockets = Array.from({ length: SOCKETS }, () => {
      const socket = connect(server.port, '127.0.0.1');
      let isConnected = false;
      socket.on('connect', () => {
        isConnected = true;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (isConnected) closed += 1;
        else refused += 1;
      });
      return socket.resume();
    });
    let sent = 0;
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(HEADERS.charAt(sent % HEADERS.length));
      sent += 1;
    }, 1_000);
    defer(() => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    });
    await sleep(1_000);
    const probe = startProbe(server.port, detailsOf(top), { everyMs: 50 });
    await sleep(isQuick ? 15_000 : 75_000);
    const { p99, max, failed, count } = await probe.stop();
    return [
      holds(
        'details for other clients, each on a new connection',
        'none fails',
        failed === 0,
        `${failed} of ${count} failed`,
      ),
      below('their p99', LATENCY_BAR_MS, p99, `${millis(p99)}, max ${millis(max)}`),
      figure('sockets that the server closed', `${closed} of ${SOCKETS}, ${refused} refused`),
    ];
  },
};
