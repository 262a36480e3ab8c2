import { SORTS } from '../../src/lookup/page.ts';
import { type DataSet, makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { timeEach } from '../harness/measure.ts';
import { type Server, startKith } from '../harness/processes.ts';
import { API, searchFor } from '../harness/requests.ts';
import { median, millis, whole } from '../numbers.ts';
import { type Bar, below } from '../report/findings.ts';
import type { Bench, Part } from './part.ts';
import { type Missed, profileRequests } from './profile-requests.ts';

const BAR_MS = 10;
/** Of lookups that build their answers. */
const CLIENT_BAR_MS = 25;
const REQUESTS = 50;
/** The second is in the middle of the followers, on a million accounts. */
const OFFSETS = [40_000, 21_800];

/** They sort all matches, so they run beside the event loop: what is measured is a request that does not wait for them. */
const WORST_SEARCHES = ['0', 'ff', 'x'].map((term) => `/leaderboard/search?term=${term}&offset=2147483647`);

/** The most expensive requests, on the account with the most followers. */
export const cliffs: Part = {
  name: 'cliffs',
  title: 'Most expensive requests',
  async run(bench) {
    const { options, load, log } = bench;
    const dataSet = await makeDataSet(options.large);
    const env = { DATABASE_URL: dataSet.url, CACHE_MB: '0' };
    const server = await startKith(env);
    const bars: Bar[] = [];
    const missed: Missed[] = [];
    try {
      for (const [what, path, barMs] of [...cliffsOf(dataSet), ...clientCliffsOf(dataSet)]) {
        const [, ...times] = await timeEach(load, server, Array(REQUESTS + 1).fill(API + path));
        const [middle, most] = [median(times), Math.max(...times)];
        log(`${what}: ${millis(middle)}, at most ${millis(most)}`);
        const bar = below(what, barMs, middle, `median ${millis(middle)}, max ${millis(most)}`);
        bars.push(bar);
        if (!bar.isReached) missed.push({ name: what, env, paths: [API + path] });
      }
      for (const search of WORST_SEARCHES) {
        const times = await timeBeside(bench, server, search);
        const [middle, most] = [median(times), Math.max(...times)];
        log(`details beside ${search}: ${millis(middle)}, at most ${millis(most)}`);
        bars.push(
          below(`details beside ${search}`, CLIENT_BAR_MS, middle, `median ${millis(middle)}, max ${millis(most)}`),
        );
      }
    } finally {
      await server.stop();
    }
    const note = `${whole(options.large)} accounts, cache off, ${REQUESTS} sequential requests on one connection after one to warm up; the bar applies to the median.`;
    return {
      bars,
      tables: [
        { title: 'The requested account', note, columns: ['account', 'followers'], rows: [describe(dataSet)] },
        ...(await profileRequests(bench, missed)),
      ],
      plots: [],
    };
  },
};

/** Times a cheap request, again and again, while the server runs an expensive one. */
async function timeBeside({ load }: Bench, server: Server, path: string): Promise<number[]> {
  let isRunning = true;
  const url = `http://127.0.0.1:${server.port}${API}${path}`;
  const expensive = fetch(url)
    .then((response) => response.text())
    .finally(() => {
      isRunning = false;
    });
  const times: number[] = [];
  while (isRunning || times.length === 0) times.push(...(await timeEach(load, server, [`${API}/lists/1/details`])));
  await expensive;
  return times;
}

function topOf(dataSet: DataSet): Subject {
  const [top] = select<Subject>(dataSet, `${SUBJECTS} limit 1`);
  if (top === undefined) throw new Error('no account has a list');
  return top;
}

function describe(dataSet: DataSet): string[] {
  const { address } = topOf(dataSet);
  const [row] = select<{ followers: number }>(dataSet, 'select followers from accounts where address = ?', address);
  return [address, whole(row?.followers ?? 0)];
}

type Cliff = [what: string, path: string, barMs: number];

/** Lookups of published clients, for the account with most followers and the one that follows most. */
function clientCliffsOf(dataSet: DataSet): Cliff[] {
  const top = topOf(dataSet);
  const [busy] = select<Subject & { following: number }>(
    dataSet,
    `select accounts.address, coalesce(name, '') as name, active_list as list, following from accounts
     left join profiles on profiles.address = accounts.address order by following desc limit 1`,
  );
  if (busy === undefined) throw new Error('the graph is empty');
  const lookups = [
    ...['tags', 'taggedAs', 'recommended', 'recommended/details', 'allFollowers?tags=block,mute', 'stats', 'lists'],
    ...['following?sort=followers', 'following?tags=top8', 'allFollowing?tags=block,mute'],
    ...['following?limit=1000&include=ens', 'followers?limit=1000&include=ens', 'mutuals?limit=1000'],
    ...['simple-profile', 'relationships?tag=top8&direction=in', 'relationships?tag=top8&direction=out', 'qr'],
    ...['e', 'eth', 'a1', 'dragon', '0x', 'qzxwvkjq'].flatMap((term) => [
      `searchFollowers?term=${term}`,
      `searchFollowing?term=${term}`,
    ]),
  ];
  const ofUser = (who: string, { address }: Subject) =>
    lookups.map((lookup): Cliff => [`${who}: users/${lookup}`, `/users/${address}/${lookup}`, CLIENT_BAR_MS]);
  const ofList = (who: string, { list }: Subject) =>
    ['allFollowingAddresses', 'taggedAs', 'tags', 'recommended', 'searchFollowers?term=e'].map(
      (lookup): Cliff => [`${who}: lists/${lookup}`, `/lists/${list}/${lookup}`, CLIENT_BAR_MS],
    );
  const common = (who: string, one: Subject, leader: Subject): Cliff => [
    `${who}: commonFollowers`,
    `/users/${one.address}/commonFollowers?leader=${leader.address}`,
    CLIENT_BAR_MS,
  ];
  const most = `follows most (${whole(busy.following)})`;
  const most1000 = select<Subject>(dataSet, `${SUBJECTS} limit 1000`).map(({ address }) => address);
  const bodyOf = (count: number) => JSON.stringify(most1000.slice(0, count));
  return [
    ...ofUser('most followed', top),
    ...ofUser(most, busy),
    ...ofList('most followed', top),
    ...ofList(most, busy),
    [`${most}: exportState`, `/exportState/${busy.list}`, CLIENT_BAR_MS],
    common(`${most}, leader most followed`, busy, top),
    common('most followed, leader follows most', top, busy),
    ['discover', '/discover', CLIENT_BAR_MS],
    ['leaderboard/followers, offset=50000', '/leaderboard/followers?offset=50000', CLIENT_BAR_MS],
    ['leaderboard/ranked, offset=50000', '/leaderboard/ranked?offset=50000', CLIENT_BAR_MS],
    ['minters, offset=50000', '/minters?offset=50000', CLIENT_BAR_MS],
    ['leaderboard/count', '/leaderboard/count', CLIENT_BAR_MS],
    ['leaderboard/mutes, offset=5000', '/leaderboard/mutes?offset=5000', CLIENT_BAR_MS],
    ['leaderboard/all, limit=1000', '/leaderboard/all?limit=1000', CLIENT_BAR_MS],
    ...[20, 1_000].flatMap((count): Cliff[] => [
      [`accounts of ${count}`, `/accounts\n${bodyOf(count)}`, CLIENT_BAR_MS],
      [`accounts of ${count}, viewer`, `/accounts?viewer=${busy.address}\n${bodyOf(count)}`, CLIENT_BAR_MS],
    ]),
    ...[20, 200].map((count): Cliff => [`edges among ${count}`, `/edges/among\n${bodyOf(count)}`, CLIENT_BAR_MS]),
    ['stats', '/stats', CLIENT_BAR_MS],
  ];
}

function cliffsOf(dataSet: DataSet): Cliff[] {
  const { address, list } = topOf(dataSet);
  /** The values of the account's rows, the rarest first. */
  const byFrequency = (table: 'edge_tags' | 'notifications', value: 'tags.tag' | 'opcode') =>
    select<{ value: string; count: number }>(
      dataSet,
      `select ${value} as value, count(*) as count from ${table} left join tags on tags.id = ${table}.tag
       where target = (select id from accounts where address = ?) and ${value} is not null group by 1 order by 2, 1`,
      address,
    );
  const tags = byFrequency('edge_tags', 'tags.tag');
  const [rare, common] = [tags[0], tags.at(-1)];
  const [rareTag] = byFrequency('notifications', 'tags.tag');
  const [rareOpcode] = byFrequency('notifications', 'opcode');
  if (rare === undefined || common === undefined || rareTag === undefined || rareOpcode === undefined) {
    throw new Error('the top account has no tags');
  }
  const uri = encodeURIComponent;
  const withCount = ({ value, count }: { value: string; count: number }) => `${value} (${whole(count)})`;
  const followers = `/users/${address}/followers`;
  const notifications = `/users/${address}/notifications?interval=all`;
  const paths: [string, string][] = [
    ['sort=followers', `${followers}?sort=followers`],
    ...OFFSETS.flatMap((offset) =>
      SORTS.flatMap((sort): [string, string][] => [
        [`offset=${offset}, sort=${sort}`, `${followers}?offset=${offset}&sort=${sort}`],
        [`offset=${offset}, sort=${sort}, by list`, `/lists/${list}/followers?offset=${offset}&sort=${sort}`],
      ]),
    ),
    [`tags= rare: ${withCount(rare)}`, `${followers}?tags=${uri(rare.value)}`],
    [`tags= common: ${withCount(common)}`, `${followers}?tags=${uri(common.value)}`],
    ...SORTS.map((sort): [string, string] => [
      `tags= both, sort=${sort}`,
      `${followers}?tags=${uri(common.value)},${uri(rare.value)}&sort=${sort}`,
    ]),
    ['followers, limit=1000', `${followers}?limit=1000`],
    ['notifications, limit=1000', `${notifications}&limit=1000`],
    [`notifications, rare tag: ${withCount(rareTag)}`, `${notifications}&tag=${uri(rareTag.value)}`],
    [`notifications, rare opcode: ${withCount(rareOpcode)}`, `${notifications}&opcode=${rareOpcode.value}`],
    ['search without a match', searchFor('qzxwvkjq')],
  ];
  return paths.map(([what, path]) => [what, path, BAR_MS]);
}
