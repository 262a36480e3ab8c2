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
  readonly server: Target;
  readonly paths: readonly string[];
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

interface Run {
  readonly asked: Asked;
  readonly bare: Server;
  readonly bytes: number;
  readonly results: { ours: Load; least: Load }[];
}

/** Measures in turns: what slows the machine down for a while slows all of them. In the order of the servers. */
export async function measure({ load, servers, rounds, ms }: MeasureOptions): Promise<Measured[]> {
  const runs: Run[] = [];
  try {
    for (const asked of servers) {
      const bytes = await warm(load, asked);
      const bare = await startBare(Math.max(1, Math.round(bytes)));
      runs.push({ asked, bare, bytes, results: [] });
      await runLoad(load, bare, ['/'], WARM_MS);
    }
    for (let round = 0; round < rounds; round++) {
      // To and fro: nobody is always the last.
      for (const { asked, bare, results } of round % 2 === 0 ? runs : runs.toReversed()) {
        const least = await runLoad(load, bare, ['/'], ms);
        results.push({ least, ours: await runLoad(load, asked.server, asked.paths, ms) });
      }
    }
    return runs.map(summarise);
  } finally {
    for (const { bare } of runs) await bare.stop();
  }
}

/**
 * Asks for everything once, so that it is in the cache, if there is one, and where there is none in the system's
 * memory: disks are not what is compared. Tells the mean size of an answer.
 */
async function warm(load: LoadGenerator, { server, paths }: Asked): Promise<number> {
  const { bytes } = await runOnce(load, server, paths, CONNECTIONS);
  await runLoad(load, server, paths, WARM_MS);
  return bytes;
}

function summarise({ bytes, results }: Run): Measured {
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
    bytes,
  };
}

/** Times requests one by one, on one connection; the time on the wire is in it, so the server took less. */
export async function timeEach(load: LoadGenerator, server: Target, paths: readonly string[]): Promise<number[]> {
  return [...(await runOnce(load, server, paths, 1)).times];
}
