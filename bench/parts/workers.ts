import { makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { runLoad } from '../harness/measure.ts';
import { cpuSeconds } from '../harness/process-stats.ts';
import { type LoadGenerator, type Server, startKith } from '../harness/processes.ts';
import { DISTINCT, mixedPaths } from '../harness/requests.ts';
import { median, spread, whole } from '../numbers.ts';
import { atLeast } from '../report/findings.ts';
import type { Part } from './part.ts';

const BAR = 1.6;
const ROUND_MS = 1_000;
const ROUNDS = 10;

interface Served {
  readonly perSecond: number;
  /** Requests for each second of CPU that the serving processes took. */
  readonly perCpuSecond: number;
  /** Cores that were busy with serving, and with asking. */
  readonly serving: number;
  readonly asking: number;
}

export const workers: Part = {
  name: 'workers',
  title: 'Two serving processes',
  async run({ options, load, tell }) {
    const dataSet = await makeDataSet(options.barsAt);
    const paths = mixedPaths(select<Subject>(dataSet, SUBJECTS), DISTINCT);
    const env = { DATABASE_URL: dataSet.url, CACHE_MB: '0' };
    const one = await startKith({ ...env, WORKERS: '1' });
    const two = await startKith({ ...env, WORKERS: '2' });
    const rounds: { one: Served; two: Served }[] = [];
    try {
      for (const server of [one, two]) await runLoad(load, server, paths, ROUND_MS);
      for (let round = 0; round < ROUNDS; round++) {
        const result = { one: await serve(load, one, paths), two: await serve(load, two, paths) };
        tell(`${whole(result.one.perSecond)} a second with one, ${whole(result.two.perSecond)} with two`);
        rounds.push(result);
      }
    } finally {
      await one.stop();
      await two.stop();
    }
    const gains = rounds.map((round) => (2 * round.two.perCpuSecond) / round.one.perCpuSecond);
    const raw = rounds.map((round) => round.two.perSecond / round.one.perSecond);
    const row = (name: string, served: readonly Served[]) => [
      name,
      ...[whole(median(served.map((s) => s.perSecond))), whole(median(served.map((s) => s.perCpuSecond)))],
      ...[median(served.map((s) => s.serving)).toFixed(2), median(served.map((s) => s.asking)).toFixed(2)],
    ];
    return {
      bars: [atLeast('WORKERS=2 against one, with a core for each', BAR, median(gains), spread(gains))],
      tables: [
        {
          title: 'One and two',
          note: `On two cores the generator takes what two serving processes would need, so they are held against each other by the requests that a second of their CPU answers, twice for two; the bare ratio of throughput was ${spread(raw)}. All kinds of requests in turn, ${whole(options.barsAt)} accounts, cache off.`,
          columns: ['WORKERS', 'per second', 'per CPU second', 'cores serving', 'cores asking'],
          rows: [
            row(
              '1',
              rounds.map((round) => round.one),
            ),
            row(
              '2',
              rounds.map((round) => round.two),
            ),
          ],
        },
      ],
      plots: [],
    };
  },
};

async function serve(load: LoadGenerator, server: Server, paths: readonly string[]): Promise<Served> {
  const before = cpuSeconds(server.pid);
  const { requests, perSecond, cpu, seconds } = await runLoad(load, server, paths, ROUND_MS);
  const took = cpuSeconds(server.pid) - before;
  return { perSecond, perCpuSecond: requests / took, serving: took / seconds, asking: cpu / seconds };
}
