import { makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { openSession, perCpuSecond, type Served, serve } from '../harness/measure.ts';
import { startKith } from '../harness/processes.ts';
import { DISTINCT, mixedPaths } from '../harness/requests.ts';
import { median, spread, whole } from '../numbers.ts';
import { atLeast } from '../report/findings.ts';
import type { Part } from './part.ts';

const BAR = 1.6;
const ROUND_MS = 1_000;
const ROUNDS = 10;

export const workers: Part = {
  name: 'workers',
  title: 'Two serving processes',
  async run({ options, load, log }) {
    const dataSet = await makeDataSet(options.barsAt);
    const paths = mixedPaths(select<Subject>(dataSet, SUBJECTS), DISTINCT);
    const env = { DATABASE_URL: dataSet.url, CACHE_MB: '0' };
    const one = await startKith({ ...env, WORKERS: '1' });
    const two = await startKith({ ...env, WORKERS: '2' });
    const rounds: { one: Served; two: Served }[] = [];
    try {
      const [atOne, atTwo] = [await openSession(load, one, paths), await openSession(load, two, paths)];
      for (const session of [atOne, atTwo]) await session.run({ ms: ROUND_MS });
      for (let round = 0; round < ROUNDS; round++) {
        const result = { one: await serve(atOne, one, ROUND_MS), two: await serve(atTwo, two, ROUND_MS) };
        log(`${whole(result.one.perSecond)} per second with one, ${whole(result.two.perSecond)} with two`);
        rounds.push(result);
      }
      for (const session of [atOne, atTwo]) await session.close();
    } finally {
      await one.stop();
      await two.stop();
    }
    const gains = rounds.map((round) => (2 * perCpuSecond(round.two)) / perCpuSecond(round.one));
    const raw = rounds.map((round) => round.two.perSecond / round.one.perSecond);
    const row = (name: string, served: readonly Served[]) => {
      const middle = (of: (one: Served) => number) => median(served.map(of));
      return [
        name,
        ...[whole(middle(({ perSecond }) => perSecond)), whole(middle(perCpuSecond))],
        ...[middle((s) => s.serving / s.seconds).toFixed(2), middle((s) => s.cpu / s.seconds).toFixed(2)],
      ];
    };
    return {
      bars: [atLeast('WORKERS=2 relative to 1, with a core for each', BAR, median(gains), spread(gains))],
      tables: [
        {
          title: 'One and two processes',
          note: `On two cores the load generator competes with two serving processes for CPU, so they are compared by requests per CPU second, doubled for two processes. The ratio of throughput was ${spread(raw)}. All kinds of requests in rotation, ${whole(options.barsAt)} accounts, cache off.`,
          columns: ['WORKERS', 'per second', 'per CPU second', 'serving cores', 'generator cores'],
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
