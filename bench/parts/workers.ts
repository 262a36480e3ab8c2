import { makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { aimAt, perCpuSecond, type Served, serve } from '../harness/measure.ts';
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
  async run({ options, load, tell }) {
    const dataSet = await makeDataSet(options.barsAt);
    const paths = mixedPaths(select<Subject>(dataSet, SUBJECTS), DISTINCT);
    const env = { DATABASE_URL: dataSet.url, CACHE_MB: '0' };
    const one = await startKith({ ...env, WORKERS: '1' });
    const two = await startKith({ ...env, WORKERS: '2' });
    const rounds: { one: Served; two: Served }[] = [];
    try {
      const [atOne, atTwo] = [await aimAt(load, one, paths), await aimAt(load, two, paths)];
      for (const aim of [atOne, atTwo]) await aim.run({ ms: ROUND_MS });
      for (let round = 0; round < ROUNDS; round++) {
        const result = { one: await serve(atOne, one, ROUND_MS), two: await serve(atTwo, two, ROUND_MS) };
        tell(`${whole(result.one.perSecond)} a second with one, ${whole(result.two.perSecond)} with two`);
        rounds.push(result);
      }
      for (const aim of [atOne, atTwo]) await aim.leave();
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
