import { median } from '../numbers.ts';
import type { Load } from './load-process.ts';
import { cpuSeconds } from './process-stats.ts';
import { type Aim, type LoadGenerator, type Server, startBare } from './processes.ts';

/** A server's throughput as a share of a bare one's that sends as much. */
export interface Measured {
  /** Of each round. */
  readonly ratios: readonly number[];
  /** Medians of all rounds; times in milliseconds. */
  readonly ratio: number;
  /** The same by requests for each second of CPU: time that others took from the machine is not in it. */
  readonly byCpu: number;
  readonly perSecond: number;
  readonly barePerSecond: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /** Share of a core that the generator needed. */
  readonly generator: number;
  /** Mean size of an answer. */
  readonly bytes: number;
}

export interface MeasureOptions {
  readonly load: LoadGenerator;
  /** Servers that are measured in turns, so that they can be held against each other too. */
  readonly servers: readonly Asked[];
  readonly rounds: number;
  readonly ms: number;
}

/** A server, and what it is asked for. */
interface Asked {
  readonly server: Server;
  readonly paths: readonly string[];
}

export const CONNECTIONS = 32;
/** What is compiled on the way must be before it counts. */
export const WARM_MS = 500;

type Listening = Pick<Server, 'port'>;

/** Takes aim at a server. */
export function aimAt(load: LoadGenerator, { port }: Listening, paths: readonly string[], connections = CONNECTIONS) {
  return load.aim({ port, paths, connections });
}

/** Full load for some time. */
export async function runLoad(load: LoadGenerator, server: Listening, paths: readonly string[], ms: number) {
  const aim = await aimAt(load, server, paths);
  const result = await aim.run({ ms });
  await aim.leave();
  return result;
}

/** A server beside a bare one. */
interface Pair {
  readonly ours: Aim;
  readonly least: Aim;
  readonly server: Server;
  readonly bare: Server;
  readonly bytes: number;
  readonly results: { ours: Served; least: Served }[];
}

/** With the seconds of CPU that the server took. */
export type Served = Load & { readonly serving: number };

export const perCpuSecond = ({ requests, serving }: Served) => requests / serving;

/** Full load for some time, with what it costs the server. */
export async function serve(aim: Aim, { pid }: Server, ms: number): Promise<Served> {
  const before = cpuSeconds(pid);
  const result = await aim.run({ ms });
  return { ...result, serving: cpuSeconds(pid) - before };
}

/** Measures in turns: what slows the machine down for a while slows all of them. In the order of the servers. */
export async function measure({ load, servers, rounds, ms }: MeasureOptions): Promise<Measured[]> {
  const pairs: Pair[] = [];
  try {
    for (const { server, paths } of servers) {
      const ours = await aimAt(load, server, paths);
      const bytes = await warm(ours, paths.length);
      const bare = await startBare(Math.max(1, Math.round(bytes)));
      const least = await aimAt(load, bare, ['/']);
      pairs.push({ ours, least, server, bare, bytes, results: [] });
      await least.run({ ms: WARM_MS });
    }
    for (let round = 0; round < rounds; round++) {
      // To and fro: nobody is always the last.
      for (const { ours, least, server, bare, results } of round % 2 === 0 ? pairs : pairs.toReversed()) {
        results.push({ least: await serve(least, bare, ms), ours: await serve(ours, server, ms) });
      }
    }
    for (const { ours, least } of pairs) {
      await ours.leave();
      await least.leave();
    }
    return pairs.map(summarise);
  } finally {
    for (const { bare } of pairs) await bare.stop();
  }
}

/**
 * Asks for everything once, so that it is in the cache, if there is one, and where there is none in the system's
 * memory: disks are not what is compared. Tells the mean size of an answer.
 */
async function warm(aim: Aim, requests: number): Promise<number> {
  const { bytes } = await aim.run({ requests });
  await aim.run({ ms: WARM_MS });
  return bytes;
}

function summarise({ bytes, results }: Pair): Measured {
  const ratios = results.map(({ ours, least }) => ours.perSecond / least.perSecond);
  const middle = (of: (load: Load) => number) => median(results.map(({ ours }) => of(ours)));
  return {
    ratios,
    ratio: median(ratios),
    byCpu: median(results.map(({ ours, least }) => perCpuSecond(ours) / perCpuSecond(least))),
    perSecond: middle((ours) => ours.perSecond),
    barePerSecond: median(results.map(({ least }) => least.perSecond)),
    p50: middle((ours) => ours.p50),
    p90: middle((ours) => ours.p90),
    p99: middle((ours) => ours.p99),
    generator: middle((ours) => ours.cpu / ours.seconds),
    bytes,
  };
}

/** Times requests one by one, on one connection; the time on the wire is in it, so the server took less. */
export async function timeEach(load: LoadGenerator, server: Listening, paths: readonly string[]): Promise<number[]> {
  const aim = await aimAt(load, server, paths, 1);
  const { times } = await aim.run({ requests: paths.length });
  await aim.leave();
  return [...times];
}
