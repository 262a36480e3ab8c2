import { median } from '../numbers.ts';
import { type Estimate, estimateRatio, undisturbed } from './estimate.ts';
import type { Load } from './load-process.ts';
import { cpuSeconds } from './process-stats.ts';
import type { LoadGenerator, Server } from './processes.ts';

/** Equal servers, and the requests for them. */
export interface Target {
  readonly servers: readonly Server[];
  readonly paths: readonly string[];
}

/** Two targets that are measured alternately, so that both see the same load of the machine. They have as many servers. */
export interface Pair {
  readonly name: string;
  readonly ours: Target;
  readonly base: Target;
}

export interface Compared {
  readonly name: string;
  /** CPU time of a request of ours, relative to the base. */
  readonly ratio: Estimate;
  readonly ours: Figures;
  readonly base: Figures;
}

interface Figures {
  /** CPU time of the server for a request. */
  readonly cpuMicros: number;
  /** Medians of all rounds; latency in milliseconds. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Mean size of a response body. */
  readonly bytes: number;
}

export interface MeasureOptions {
  readonly load: LoadGenerator;
  /** How long to measure, without warming up. */
  readonly seconds: number;
}

const CONNECTIONS = 16;
/** Of each side of a pair: two processes of the same code differ by up to a tenth for as long as they run. */
export const SERVERS = 3;
/** CPU time of the server before it is measured: long enough for V8 to compile the hot code. */
const WARM_MICROS = 400_000;
/** CPU time of a round: short, so that some rounds are not disturbed by other programs. */
const ROUND_MICROS = 30_000;
const MIN_ROUNDS = 10;

interface Round extends Load {
  readonly cpuMicros: number;
}

interface Measured extends Pick<Round, 'bytes' | 'cpuMicros'> {
  run(requests: number): Promise<Round>;
}

/** Rounds of all pairs in turn, so that a slow phase of the machine is spread over them. */
export async function comparePairs(
  { load, seconds }: MeasureOptions,
  pairs: readonly Pair[],
  log: (line: string) => void = () => undefined,
): Promise<Compared[]> {
  const sessions = createSessions(load);
  const all = [];
  for (const { name, ours, base } of pairs) {
    const twins: Twin[] = [];
    for (const [i, server] of ours.servers.entries()) {
      const other = base.servers[i];
      if (other === undefined) throw new Error(`${name}: both sides must have as many servers`);
      const both = [await sessions.prepare(server, ours.paths), await sessions.prepare(other, base.paths)] as const;
      twins.push({ ours: both[0], base: both[1], rounds: [] });
    }
    all.push({ name, twins });
  }
  const end = performance.now() + seconds * 1000;
  let round = 0;
  for (; round < MIN_ROUNDS * SERVERS || performance.now() < end; round++) {
    for (const { twins } of all) await measureRound(twins, round);
  }
  log(`${round} rounds of ${pairs.length} pairs`);
  await sessions.close();
  return all.map(({ name, twins }) => ({
    name,
    ratio: estimateRatio(
      twins.map(({ rounds }) => rounds.map(({ ours, base }) => ({ ours: ours.cpuMicros, base: base.cpuMicros }))),
    ),
    ours: figuresOf(twins, 'ours'),
    base: figuresOf(twins, 'base'),
  }));
}

/** A server of each side. */
interface Twin {
  readonly ours: Measured;
  readonly base: Measured;
  readonly rounds: { ours: Round; base: Round }[];
}

async function measureRound(twins: readonly Twin[], round: number): Promise<void> {
  // Safe: the remainder is an index.
  const { ours, base, rounds } = twins[round % twins.length] as Twin;
  // In turn, so that none is always second.
  const requests = Math.ceil(ROUND_MICROS / base.cpuMicros);
  if (rounds.length % 2 === 0) rounds.push({ base: await base.run(requests), ours: await ours.run(requests) });
  else rounds.push({ ours: await ours.run(requests), base: await base.run(requests) });
}

/** The same connections to a server for all of its requests, so that none is idle for long. */
function createSessions(load: LoadGenerator) {
  const opened = new Map<Server, Awaited<ReturnType<LoadGenerator['open']>>>();
  return {
    /** Sends each request once, which fills the caches of Kith, if they are on, and of the operating system. */
    async prepare(server: Server, paths: readonly string[]): Promise<Measured> {
      const session = opened.get(server) ?? (await load.open(server, CONNECTIONS));
      opened.set(server, session);
      const send = await session.prepare(paths);
      const run = async (requests: number): Promise<Round> => {
        const before = cpuSeconds(server.pid);
        const result = await send({ requests });
        return { ...result, cpuMicros: ((cpuSeconds(server.pid) - before) * 1e6) / requests };
      };
      const { bytes, cpuMicros } = await run(paths.length);
      const warm = await run(Math.ceil(WARM_MICROS / cpuMicros));
      return { bytes, cpuMicros: warm.cpuMicros, run };
    },
    async close() {
      for (const session of opened.values()) await session.close();
    },
  };
}

function figuresOf(twins: readonly Twin[], side: 'ours' | 'base'): Figures {
  const rounds = twins.flatMap((twin) => twin.rounds.map((round) => round[side]));
  const middle = (of: 'perSecond' | 'p50' | 'p99') => median(rounds.map((round) => round[of]));
  return {
    cpuMicros: undisturbed(rounds.map(({ cpuMicros }) => cpuMicros)),
    perSecond: middle('perSecond'),
    p50: middle('p50'),
    p99: middle('p99'),
    bytes: median(twins.map((twin) => twin[side].bytes)),
  };
}

/** Sends each request once, on one connection. */
export async function requestEach(
  load: LoadGenerator,
  server: Pick<Server, 'port'>,
  paths: readonly string[],
): Promise<Load> {
  const session = await load.open(server, 1);
  const run = await session.prepare(paths);
  const result = await run({ requests: paths.length });
  await session.close();
  return result;
}
