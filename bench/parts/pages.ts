import { type DataSet, makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { type Compared, comparePairs, type Pair } from '../harness/measure.ts';
import * as requests from '../harness/requests.ts';
import { createServers, expectSameAnswers, meanBytes } from '../harness/servers.ts';
import { whole } from '../numbers.ts';
import { CLONE } from '../paths.ts';
import type { Findings } from '../report/findings.ts';
import type { Bench, Part } from './part.ts';
import { ratioBar, ratioTable } from './ratios.ts';

/** The lookups of the hand-written handler. */
export const BY_HAND = [
  ...[requests.FOLLOWERS, requests.FOLLOWERS_BY_FOLLOWERS, requests.FOLLOWERS_WITH_ENS, requests.FOLLOWING],
  ...[requests.DETAILS, requests.ACCOUNT, requests.NOTIFICATIONS, requests.LEADERBOARD],
];
/** Half again for cursors, ETags, limits, metrics and the check of what is sent. */
const PAGE_BAR = 1.5;
/** Much like another one. */
const WITHOUT_BAR = [requests.FOLLOWERS_BY_FOLLOWERS, requests.ACCOUNT].map(({ name }) => name);
const PAGE_ADVICE =
  'Compare with the commit of the last results (`npm run bench:compare`), and profile the server with `node --cpu-prof`.';

const HITS = [requests.FOLLOWERS, requests.DETAILS];
/** Few enough that all of them stay in the cache. */
const DISTINCT_HITS = 200;
const HIT_BAR = 2;
const HIT_ADVICE =
  'A plugin or hook was added that runs for each request; if the ratio is that of a page, answers are no longer found in the cache.';

const WORKERS_BAR = 1.25;
const WORKERS_ADVICE = 'Workers share more than the port: look for a lock, or for work that each of them repeats.';

const GROWN = [requests.FOLLOWERS, requests.NOTIFICATIONS];
const GROWTH_BAR = 1.6;
const GROWTH_ADVICE =
  'A statement reads more rows on a larger graph: look at its plan (`test/lookup` has a test of plans), then at the page cache.';

/** The requests that clients send most: their CPU time relative to servers that do the same by hand. */
export const pages: Part = {
  name: 'pages',
  title: 'Pages',
  async run(bench) {
    const { options } = bench;
    const graph = await openGraph(options.accounts);
    const parts = [
      await measurePages(bench, graph),
      await measureHits(bench, graph),
      await measureWorkers(bench, graph),
    ];
    if (options.large > options.accounts) {
      parts.push(await measureGrowth(bench, graph, await openGraph(options.large)));
    }
    return { bars: parts.flatMap(({ bars }) => bars), tables: parts.flatMap(({ tables }) => tables) };
  },
};

export interface Graph extends DataSet {
  readonly subjects: readonly Subject[];
}

export async function openGraph(accounts: number): Promise<Graph> {
  const dataSet = await makeDataSet(CLONE, accounts);
  return { ...dataSet, subjects: select<Subject>(dataSet, SUBJECTS) };
}

type Servers = ReturnType<typeof createServers>;

/** Starts what `pairsOf` needs, compares, and stops it. */
export async function compareWith(
  { load, log }: Bench,
  seconds: number,
  pairsOf: (servers: Servers) => Promise<Pair[]>,
  count?: number,
): Promise<Compared[]> {
  const servers = createServers(count);
  try {
    return await comparePairs({ load, seconds }, await pairsOf(servers), log);
  } finally {
    await servers.stop();
  }
}

async function measurePages(bench: Bench, { url, path, subjects, accounts }: Graph): Promise<Findings> {
  const compared = await compareWith(bench, bench.options.seconds, async (servers) => {
    const [kith, byHand] = [await servers.kith({ DATABASE_URL: url, CACHE_MB: '0' }), await servers.byHand(path)];
    const pairs: Pair[] = [];
    for (const kind of BY_HAND) {
      const paths = requests.pathsOf(kind, subjects);
      const pair = { name: kind.name, ours: { servers: kith, paths }, base: { servers: byHand, paths } };
      await expectSameAnswers(pair.ours, pair.base);
      pairs.push(pair);
    }
    return pairs;
  });
  return {
    bars: compared.filter(({ name }) => !WITHOUT_BAR.includes(name)).map((one) => ratioBar(one, PAGE_BAR, PAGE_ADVICE)),
    tables: [
      ratioTable(
        'Pages, relative to a hand-written handler',
        `${whole(accounts)} accounts, SQLite, cache off.`,
        'by hand',
        compared,
      ),
    ],
  };
}

async function measureHits(bench: Bench, { url, subjects, accounts }: Graph): Promise<Findings> {
  const compared = await compareWith(bench, bench.options.seconds / 4, async (servers) => {
    const kith = await servers.kith({ DATABASE_URL: url });
    const pairs: Pair[] = [];
    for (const kind of HITS) {
      const ours = { servers: kith, paths: requests.pathsOf(kind, subjects, DISTINCT_HITS) };
      const bare = await servers.bare(await meanBytes(bench.load, ours));
      pairs.push({ name: `${kind.name}, from the cache`, ours, base: { servers: bare, paths: ['/'] } });
    }
    return pairs;
  });
  return {
    bars: compared.map((one) => ratioBar(one, HIT_BAR, HIT_ADVICE)),
    tables: [
      ratioTable(
        'Cache hits, relative to a bare node:http server that sends as many bytes',
        `${whole(accounts)} accounts.`,
        'bare',
        compared,
      ),
    ],
  };
}

async function measureWorkers(bench: Bench, { url, subjects }: Graph): Promise<Findings> {
  const compared = await compareWith(bench, bench.options.seconds / 6, async (servers) => {
    const env = { DATABASE_URL: url, CACHE_MB: '0' };
    const [one, two] = [await servers.kith(env), await servers.kith({ ...env, WORKERS: '2' })];
    const paths = requests.pathsOf(requests.FOLLOWERS, subjects);
    const name = `${requests.FOLLOWERS.name}, WORKERS=2 relative to 1`;
    return [{ name, ours: { servers: two, paths }, base: { servers: one, paths } }];
  });
  return { bars: compared.map((one) => ratioBar(one, WORKERS_BAR, WORKERS_ADVICE)), tables: [] };
}

async function measureGrowth(bench: Bench, small: Graph, large: Graph): Promise<Findings> {
  const compared = await compareWith(bench, bench.options.seconds / 3, async (servers) => {
    const ours = await servers.kith({ DATABASE_URL: large.url, CACHE_MB: '0' });
    const base = await servers.kith({ DATABASE_URL: small.url, CACHE_MB: '0' });
    return GROWN.map((kind) => ({
      name: `${kind.name}, ${whole(large.accounts)} accounts relative to ${whole(small.accounts)}`,
      ours: { servers: ours, paths: requests.pathsOf(kind, large.subjects) },
      base: { servers: base, paths: requests.pathsOf(kind, small.subjects) },
    }));
  });
  return { bars: compared.map((one) => ratioBar(one, GROWTH_BAR, GROWTH_ADVICE)), tables: [] };
}
