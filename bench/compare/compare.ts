import { demoArguments, makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { type Estimate, estimateRatio } from '../harness/estimate.ts';
import { type Compared, comparePairs, SERVERS } from '../harness/measure.ts';
import { runKith, type Server, startKith, startLoadGenerator, type Usage } from '../harness/processes.ts';
import * as requests from '../harness/requests.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import type { Checkout } from './checkout.ts';

/** The requests that are compared without the cache, and those that it answers. */
const KINDS = requests.COMMON;
const HITS = [requests.FOLLOWERS, requests.DETAILS];
/** Fewer than fill the cache. */
const DISTINCT_HITS = 200;
const LOADED_ACCOUNTS = 2_000;
const LOADS = 3;

export interface CompareOptions {
  readonly accounts: number;
  readonly seconds: number;
  /** A part of the names of the requests to compare. */
  readonly only: string;
}

export interface Comparison {
  readonly requests: readonly Compared[];
  /** CPU time and peak memory of a load. */
  readonly loads: readonly { readonly name: string; readonly ratio: Estimate }[];
}

/** Compares two builds on the same graph, each made by its own build. */
export async function compare(
  before: Checkout,
  after: Checkout,
  { accounts, seconds, only }: CompareOptions,
  log: (line: string) => void,
): Promise<Comparison> {
  const load = startLoadGenerator();
  const servers: Server[] = [];
  const start = async (clone: string, env: Readonly<Record<string, string>>) => {
    const server = await startKith(clone, env);
    servers.push(server);
    return server;
  };
  try {
    log(`graphs of ${accounts} accounts`);
    const data = { before: await makeDataSet(before.clone, accounts), after: await makeDataSet(after.clone, accounts) };
    const subjects = select<Subject>(data.after, SUBJECTS);
    const pairsOf = async (kinds: readonly requests.Kind[], cache: string, suffix: string, distinct?: number) => {
      const chosen = kinds.filter(({ name }) => name.includes(only));
      if (chosen.length === 0) return [];
      const [base, ours]: [Server[], Server[]] = [[], []];
      for (let i = 0; i < SERVERS; i++) {
        base.push(await start(before.clone, { DATABASE_URL: data.before.url, CACHE_MB: cache }));
        ours.push(await start(after.clone, { DATABASE_URL: data.after.url, CACHE_MB: cache }));
      }
      return chosen.map((kind) => {
        const paths = requests.pathsOf(kind, subjects, distinct);
        return { name: kind.name + suffix, ours: { servers: ours, paths }, base: { servers: base, paths } };
      });
    };
    const pairs = [...(await pairsOf(KINDS, '0', '')), ...(await pairsOf(HITS, '64', ' (cached)', DISTINCT_HITS))];
    if (pairs.length === 0) throw new Error(`no request has a name with "${only}"`);
    log(`${pairs.length} kinds of requests`);
    const compared = await comparePairs({ load, seconds }, pairs, log);
    return { requests: compared, loads: only === '' ? await compareLoads(before, after, log) : [] };
  } finally {
    for (const server of servers) await server.stop();
    await load.stop();
  }
}

/** Loads a small graph into an empty database, alternately. */
async function compareLoads(before: Checkout, after: Checkout, log: (line: string) => void) {
  log(`${LOADS} loads of ${LOADED_ACCOUNTS} accounts each`);
  const folder = temporaryFolder();
  try {
    const rounds: { base: Usage; ours: Usage }[] = [];
    for (let round = 0; round < LOADS; round++) {
      const usageOf = ({ clone }: Checkout, name: string) =>
        runKith(clone, demoArguments(LOADED_ACCOUNTS), { DATABASE_URL: `sqlite:${folder.path}${name}${round}.db` });
      rounds.push({ base: await usageOf(before, 'before'), ours: await usageOf(after, 'after') });
    }
    const loadOf = (name: string, of: (usage: Usage) => number) => ({
      name,
      ratio: estimateRatio(rounds.map(({ base, ours }) => [{ base: of(base), ours: of(ours) }])),
    });
    return [
      loadOf('CPU of a load', ({ cpuSeconds }) => cpuSeconds),
      loadOf('peak memory of a load', ({ peakMegabytes }) => peakMegabytes),
    ];
  } finally {
    folder.remove();
  }
}
