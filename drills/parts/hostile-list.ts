import { millis, whole } from '../../bench/numbers.ts';
import { below } from '../../bench/report/findings.ts';
import { atMost, type Drill, figure, holds } from '../drill.ts';
import { makeHostileGraph } from '../harness/hostile-graph.ts';
import { startKith } from '../harness/kith.ts';
import { sleep } from '../harness/numbers.ts';
import { startProbe } from '../harness/probe.ts';
import { peakMegabytes } from '../harness/process-samples.ts';
import { drain } from '../harness/request.ts';
import { detailsOf } from '../harness/subjects.ts';

const P99_BAR_MS = 100;
const CLIENTS = 4;
/** Of a serving process; without such a list it takes about 200 MB. */
const PEAK_BAR_MB = 500;
const GROWTH_BAR = 10;

export const hostileList: Drill = {
  name: 'hostile-list',
  title: 'A list of 150,000 records with tags of control characters, and an account that manages 60,000 slots',
  limitMinutes: 10,
  async run({ isQuick, folder, defer, log }) {
    const { graph, url, account, list, growth } = await makeHostileGraph(folder, isQuick);
    log(`imported: the database has grown by ${growth.toFixed(1)} times the bytes of the ops`);
    const server = await startKith('serve', { DATABASE_URL: url, CACHE_MB: '0' });
    defer(server.stop);
    const paths = [
      `/users/${account}/tags`,
      `/lists/${list}/tags`,
      `/exportState/${list}`,
      `/lists/${list}/allFollowingAddresses`,
      `/users/${account}/lists`,
      `/lists/${list}/following?limit=10&tags=zz`,
      `/lists/${list}/searchFollowing?term=zz`,
      `/lists/${list}/following?limit=1000`,
    ].map((rest) => `/api/v1${rest}`);
    const rows = [];
    for (const path of paths) {
      const beside = startProbe(server.port, detailsOf(graph.top), { everyMs: 20 });
      const until = performance.now() + (isQuick ? 2_000 : 10_000);
      const answers: Awaited<ReturnType<typeof drain>>[] = [];
      const client = async () => {
        do answers.push(await drain(server.port, path));
        while (performance.now() < until);
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      await sleep(100);
      const during = await beside.stop();
      const served = answers.filter(({ status }) => status === 200);
      const bytes = Math.max(0, ...served.map((answer) => answer.bytes));
      const slowest = Math.max(0, ...answers.map(({ ms }) => ms));
      const measured = `${millis(during.p99)}; ${served.length} of ${answers.length} answers were 200, ${whole(bytes)} bytes, ${millis(slowest)} at most`;
      log(`${path}: ${measured}`);
      rows.push(
        below(
          `p99 of details beside 4 clients of ${path.replace(account, 'ADDRESS')}`,
          P99_BAR_MS,
          during.p99,
          measured,
        ),
        holds(
          'its answers',
          'only 200 and 503',
          answers.every(({ status }) => [200, 503].includes(status)),
          '',
        ),
      );
    }
    return [
      atMost('growth of the database, relative to the bytes of the ops', GROWTH_BAR, growth),
      ...rows,
      atMost('peak memory of the server', PEAK_BAR_MB, peakMegabytes(server.pid), ' MB'),
      figure('clients', String(CLIENTS)),
    ];
  },
};
