import { type DataSet, makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { requestEach } from '../harness/measure.ts';
import { cpuSeconds } from '../harness/process-stats.ts';
import { startKith } from '../harness/processes.ts';
import { API } from '../harness/requests.ts';
import { median, millis, whole } from '../numbers.ts';
import { CLONE } from '../paths.ts';
import { type AdvisedBar, below } from '../report/findings.ts';
import type { Part } from './part.ts';

const BAR_MS = 50;
const REQUESTS = 10;

/** The requests with a bar, each with what to do if it takes longer. */
const ADVICE: Readonly<Record<string, string>> = {
  recommended: 'Lower the number of accounts that it considers: its answer is a choice anyway.',
  taggedAs: 'Its statement reads every tag of the account: bound what it counts.',
  'followers?limit=1000&include=ens': 'Profiles are parsed and written again instead of copied as they are stored.',
  'notifications?interval=all&limit=1000': 'Its statement reads more of each row than it shows.',
  'followers?offset=2000': 'The first row of the page is no longer found by the index alone.',
  'searchFollowers?term=e':
    'Followers are compared one by one: look at findAmong, and at the statement that reads their ids.',
  'leaderboard/search?term=qzxw': 'A term without a match reads leaves that its grams exclude.',
  minters: 'The rows before the page are joined: find the first row of the page by the index alone.',
};

/** The most expensive requests, about the account with the most followers. */
export const worst: Part = {
  name: 'worst',
  title: 'Most expensive requests',
  async run({ options, load, log }) {
    const dataSet = await makeDataSet(CLONE, options.large);
    const top = topOf(dataSet);
    const server = await startKith(CLONE, { DATABASE_URL: dataSet.url, CACHE_MB: '0' });
    const bars: AdvisedBar[] = [];
    const rows: string[][] = [];
    try {
      for (const [name, path] of worstOf(dataSet, top)) {
        const each: number[] = [];
        // The first compiles its statements.
        for (let i = 0; i <= REQUESTS; i++) {
          const before = cpuSeconds(server.pid);
          await requestEach(load, server, [API + path]);
          if (i > 0) each.push((cpuSeconds(server.pid) - before) * 1000);
        }
        const [middle, most] = [median(each), Math.max(...each)];
        log(`${name}: ${millis(middle)}`);
        rows.push([name, millis(middle), millis(most)]);
        const advice = ADVICE[name];
        if (advice !== undefined) {
          bars.push({
            ...below(`CPU of ${name}`, BAR_MS, middle, `${millis(middle)}, at most ${millis(most)}`),
            advice,
          });
        }
      }
    } finally {
      await server.stop();
    }
    const note = `${whole(options.large)} accounts, cache off. The account with the most followers has ${whole(top.followers)}. CPU time of the server, all of its threads: the median of ${REQUESTS} requests, and the most.`;
    return {
      bars,
      tables: [
        { title: 'CPU time of the most expensive requests', note, columns: ['request', 'median', 'most'], rows },
      ],
    };
  },
};

interface Top extends Subject {
  readonly followers: number;
}

function topOf(dataSet: DataSet): Top {
  const [top] = select<Subject>(dataSet, `${SUBJECTS} limit 1`);
  if (top === undefined) throw new Error('no account has a list');
  const [row] = select<{ followers: number }>(dataSet, 'select followers from accounts where address = ?', top.address);
  return { ...top, followers: row?.followers ?? 0 };
}

function worstOf(dataSet: DataSet, { address }: Top): [name: string, path: string][] {
  const of = (lookup: string): [string, string] => [lookup, `/users/${address}/${lookup}`];
  const addresses = select<Subject>(dataSet, `${SUBJECTS} limit 1000`).map((subject) => subject.address);
  const bodyOf = (count: number) => JSON.stringify(addresses.slice(0, count));
  return [
    ...[of('recommended'), of('taggedAs'), of('tags'), of('stats'), of('mutuals?limit=1000')],
    ...[
      of('followers?limit=1000&include=ens'),
      of('followers?limit=1000'),
      of('notifications?interval=all&limit=1000'),
    ],
    ...[
      of('followers?offset=2000'),
      of('followers?tags=top8,gm&sort=followers'),
      of('following?limit=1000&include=ens'),
    ],
    ...[of('searchFollowers?term=e'), of('searchFollowers?term=dragon'), of('relationships?tag=top8&direction=in')],
    ['leaderboard/search?term=qzxw', '/leaderboard/search?term=qzxw'],
    ['minters', '/minters?offset=50000'],
    ['leaderboard/ranked?offset=50000', '/leaderboard/ranked?offset=50000'],
    ['leaderboard/all?limit=1000', '/leaderboard/all?limit=1000'],
    ['accounts of 1000', `/accounts\n${bodyOf(1000)}`],
    ['edges among 200', `/edges/among\n${bodyOf(200)}`],
  ];
}
