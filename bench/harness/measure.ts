import { median } from '../numbers.ts';
import type { Job, Load } from './load-process.ts';
import { type LoadGenerator, type Server, startBare } from './processes.ts';

/** A server's throughput as a share of a bare one's that sends as much. */
export interface Measured {
  /** Of each round. */
  readonly ratios: readonly number[];
  /** Medians of all rounds; times in milliseconds. */
  readonly ratio: number;
  readonly perSecond: number;
  readonly barePerSecond: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /** Share of a core that the generator needed. */
  readonly generator: number;
}

export interface MeasureOptions {
  readonly load: LoadGenerator;
  readonly server: Target;
  readonly paths: readonly string[];
  /** Whether all paths are to be in the cache before it begins. */
  readonly isCached: boolean;
  readonly rounds: number;
  readonly ms: number;
}

export const CONNECTIONS = 32;
/** What is compiled on the way must be before it counts. */
const WARM_MS = 500;

/** Keeps a server busy, and is content with nothing but answers. */
async function run(load: LoadGenerator, job: Job): Promise<Load> {
  const result = await load.run(job);
  if (result.failed === 0) return result;
  throw new Error(`${result.failed} of ${result.requests} answers were errors, of ${job.paths[0]}`);
}

type Target = Pick<Server, 'port'>;

/** Full load for some time. */
export function runLoad(load: LoadGenerator, { port }: Target, paths: readonly string[], ms: number): Promise<Load> {
  return run(load, { ports: [port], paths, connections: CONNECTIONS, for: { ms } });
}

/** Asks for each path once. */
function runOnce(load: LoadGenerator, { port }: Target, paths: readonly string[], connections: number): Promise<Load> {
  return run(load, { ports: [port], paths, connections, for: { requests: paths.length } });
}

/** Measures in turns: what slows the machine down for a while slows both. */
export async function measure(options: MeasureOptions): Promise<Measured> {
  const { load, server, paths, isCached, rounds, ms } = options;
  if (isCached) await runOnce(load, server, paths, CONNECTIONS);
  const warm = await runLoad(load, server, paths, WARM_MS);
  const bare = await startBare(Math.max(1, Math.round(warm.bytes)));
  try {
    await runLoad(load, bare, ['/'], WARM_MS);
    const results: { ours: Load; least: Load }[] = [];
    for (let round = 0; round < rounds; round++) {
      const least = await runLoad(load, bare, ['/'], ms);
      results.push({ least, ours: await runLoad(load, server, paths, ms) });
    }
    const ratios = results.map(({ ours, least }) => ours.perSecond / least.perSecond);
    const middle = (of: (load: Load) => number) => median(results.map(({ ours }) => of(ours)));
    return {
      ratios,
      ratio: median(ratios),
      perSecond: middle((ours) => ours.perSecond),
      barePerSecond: median(results.map(({ least }) => least.perSecond)),
      p50: middle((ours) => ours.p50),
      p90: middle((ours) => ours.p90),
      p99: middle((ours) => ours.p99),
      generator: middle((ours) => ours.cpu / ours.seconds),
    };
  } finally {
    await bare.stop();
  }
}

/** Times requests one by one, on one connection; the time on the wire is in it, so the server took less. */
export async function timeEach(load: LoadGenerator, server: Target, paths: readonly string[]): Promise<number[]> {
  return [...(await runOnce(load, server, paths, 1)).times];
}
