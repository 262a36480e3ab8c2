import { millis, whole } from '../../bench/numbers.ts';
import { below } from '../../bench/report/findings.ts';
import { type Drill, figure, holds } from '../drill.ts';
import { makeLargeGraph } from '../harness/graphs.ts';
import { startKith } from '../harness/kith.ts';
import { startLoadGenerator } from '../harness/load-generator.ts';
import { sleep } from '../harness/numbers.ts';
import { startProbe } from '../harness/probe.ts';
import { detailsOf, worstBatch, worstPaths } from '../harness/subjects.ts';

const CLIENTS = 16;
/** Four of the most expensive requests, at 25 ms each. */
const P99_BAR_MS = 100;

export const cheapBesideWorst: Drill = {
  name: 'cheap-beside-worst',
  title: 'A cheap request while 16 clients send the most expensive ones',
  limitMinutes: 5,
  async run({ isQuick, defer, log }) {
    const { url, top, accounts } = await makeLargeGraph(isQuick);
    const server = await startKith('serve', { DATABASE_URL: url, CACHE_MB: '0' });
    defer(server.stop);
    const load = startLoadGenerator();
    defer(load.stop);
    const ms = isQuick ? 5_000 : 15_000;
    const cheap = () => startProbe(server.port, detailsOf(top), { everyMs: 20 });
    // Warms up.
    await load.run({ port: server.port, paths: [detailsOf(top)], ms: 1_000, connections: 4 });
    const alone = cheap();
    await sleep(ms);
    const before = await alone.stop();
    log(`alone: p99 ${millis(before.p99)}`);
    const rows = [];
    const worst = worstPaths(top, accounts);
    const each = isQuick ? [] : worst.map((path) => ({ paths: [path] }));
    for (const job of [{ paths: worst }, ...each, worstBatch(top)]) {
      const { paths } = job;
      const beside = cheap();
      const result = await load.run({
        ...job,
        port: server.port,
        ms: paths === worst ? ms : ms / 3,
        connections: CLIENTS,
      });
      const during = await beside.stop();
      const what = paths === worst ? 'all of them in turn' : (paths[0] ?? '').replace(top.address, 'ADDRESS');
      log(`${what}: p99 ${millis(during.p99)}`);
      const served = `${whole(result.served / result.seconds)} served and ${whole(result.refused / result.seconds)} refused per second`;
      rows.push(below(`p99 of details beside ${what}`, P99_BAR_MS, during.p99, `${millis(during.p99)}; ${served}`));
      if (paths !== worst) continue;
      rows.push(figure('ratio to the p99 alone', (during.p99 / before.p99).toFixed(1)));
      rows.push(
        holds('details meanwhile', 'none fails', during.failed === 0, `${during.failed} of ${during.count} failed`),
      );
    }
    return [figure(`p99 of details alone, ${whole(accounts)} accounts`, millis(before.p99)), ...rows];
  },
};
