import { median } from '../numbers.ts';
import type { Load } from './load-process.ts';
import { cpuSeconds } from './process-stats.ts';
import { type LoadGenerator, type LoadSession, type Server, startBare } from './processes.ts';

/** Throughput of a server relative to a bare server that sends as many bytes. */
export interface Measured {
  /** One per round. */
  readonly ratios: readonly number[];
  /** Medians of all rounds; times in milliseconds. */
  readonly ratio: number;
  /** Ratio of requests per CPU second, which excludes CPU steal. */
  readonly byCpu: number;
  readonly perSecond: number;
  readonly barePerSecond: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /** CPU share of the load generator, in cores. */
  readonly generator: number;
  /** Mean size of a response body. */
  readonly bytes: number;
}

export interface MeasureOptions {
  readonly load: LoadGenerator;
  /** Measured alternately, so that they can be compared with each other. */
  readonly servers: readonly Candidate[];
  readonly rounds: number;
  readonly ms: number;
}

interface Candidate {
  readonly server: Server;
  readonly paths: readonly string[];
}

export const CONNECTIONS = 32;
/** Long enough for V8 to compile the hot code. */
export const WARM_MS = 500;

type Listening = Pick<Server, 'port'>;

export function openSession(
  load: LoadGenerator,
  { port }: Listening,
  paths: readonly string[],
  connections = CONNECTIONS,
) {
  return load.open({ port, paths, connections });
}

export async function runLoad(load: LoadGenerator, server: Listening, paths: readonly string[], ms: number) {
  const session = await openSession(load, server, paths);
  const result = await session.run({ ms });
  await session.close();
  return result;
}

/** A server and its baseline. */
interface Pair {
  readonly ours: LoadSession;
  readonly baseline: LoadSession;
  readonly server: Server;
  readonly bare: Server;
  readonly bytes: number;
  readonly results: { ours: Served; baseline: Served }[];
}

/** With the CPU seconds of the server. */
export type Served = Load & { readonly serving: number };

export const perCpuSecond = ({ requests, serving }: Served) => requests / serving;

/** Runs load and measures the CPU time of the server. */
export async function serve(session: LoadSession, { pid }: Server, ms: number): Promise<Served> {
  const before = cpuSeconds(pid);
  const result = await session.run({ ms });
  return { ...result, serving: cpuSeconds(pid) - before };
}

/** Measures the servers alternately, so that a slow phase of the machine affects all of them. Results are in their order. */
export async function measure({ load, servers, rounds, ms }: MeasureOptions): Promise<Measured[]> {
  const pairs: Pair[] = [];
  try {
    for (const { server, paths } of servers) {
      const ours = await openSession(load, server, paths);
      const bytes = await warm(ours, paths.length);
      const bare = await startBare(Math.max(1, Math.round(bytes)));
      const baseline = await openSession(load, bare, ['/']);
      pairs.push({ ours, baseline, server, bare, bytes, results: [] });
      await baseline.run({ ms: WARM_MS });
    }
    for (let round = 0; round < rounds; round++) {
      // Alternate the direction, so that no server is always last.
      for (const { ours, baseline, server, bare, results } of round % 2 === 0 ? pairs : pairs.toReversed()) {
        results.push({ baseline: await serve(baseline, bare, ms), ours: await serve(ours, server, ms) });
      }
    }
    for (const { ours, baseline } of pairs) {
      await ours.close();
      await baseline.close();
    }
    return pairs.map(summarise);
  } finally {
    for (const { bare } of pairs) await bare.stop();
  }
}

/** Sends each request once to fill the cache, if it is on, and the page cache. Returns the mean size of a response body. */
async function warm(session: LoadSession, requests: number): Promise<number> {
  const { bytes } = await session.run({ requests });
  await session.run({ ms: WARM_MS });
  return bytes;
}

function summarise({ bytes, results }: Pair): Measured {
  const ratios = results.map(({ ours, baseline }) => ours.perSecond / baseline.perSecond);
  const middle = (of: (load: Load) => number) => median(results.map(({ ours }) => of(ours)));
  return {
    ratios,
    ratio: median(ratios),
    byCpu: median(results.map(({ ours, baseline }) => perCpuSecond(ours) / perCpuSecond(baseline))),
    perSecond: middle((ours) => ours.perSecond),
    barePerSecond: median(results.map(({ baseline }) => baseline.perSecond)),
    p50: middle((ours) => ours.p50),
    p90: middle((ours) => ours.p90),
    p99: middle((ours) => ours.p99),
    generator: middle((ours) => ours.cpu / ours.seconds),
    bytes,
  };
}

/** Times requests one by one on one connection, including the network round trip. */
export async function timeEach(load: LoadGenerator, server: Listening, paths: readonly string[]): Promise<number[]> {
  const session = await openSession(load, server, paths, 1);
  const { times } = await session.run({ requests: paths.length });
  await session.close();
  return [...times];
}
