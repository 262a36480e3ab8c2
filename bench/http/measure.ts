import type { Load } from './load-process.ts';
import { type LoadGenerator, type Server, startBare } from './processes.ts';

/** A server's throughput as a share of a bare one's that sends as much. */
export interface Measured {
  /** Median, and the least and greatest of all rounds. */
  readonly ratio: number;
  readonly least: number;
  readonly greatest: number;
  /** The round of the median. */
  readonly load: Load;
  readonly bare: Load;
}

export interface MeasureOptions {
  readonly load: LoadGenerator;
  readonly server: Pick<Server, 'port'>;
  readonly paths: readonly string[];
  readonly rounds: number;
  readonly ms: number;
}

const CONNECTIONS = 32;
/** What stands before the body in an answer of the bare server, about. */
const HEAD_BYTES = 170;

/** Measures in turns: what slows the machine down for a while slows both. */
export async function measure({ load, server, paths, rounds, ms }: MeasureOptions): Promise<Measured> {
  const run = (port: number, asked: readonly string[], time = ms) =>
    load.run({ ports: [port], paths: asked, connections: CONNECTIONS, ms: time });
  // Also fills the cache, where there is one.
  const warm = await run(server.port, paths, Math.max(ms / 2, 300));
  const bare = await startBare(Math.max(1, Math.round(warm.bytes - HEAD_BYTES)));
  try {
    await run(bare.port, ['/'], 300);
    const results: { ratio: number; load: Load; bare: Load }[] = [];
    for (let round = 0; round < rounds; round++) {
      const least = await run(bare.port, ['/']);
      const ours = await run(server.port, paths);
      if (ours.failed > 0) throw new Error(`${ours.failed} of ${ours.requests} answers were errors, of ${paths[0]}`);
      results.push({ ratio: ours.perSecond / least.perSecond, load: ours, bare: least });
    }
    results.sort((a, b) => a.ratio - b.ratio);
    // Safe: there is at least one round.
    const [first, middle, last] = [0, results.length >> 1, results.length - 1].map((i) => results[i]) as [
      (typeof results)[0],
      (typeof results)[0],
      (typeof results)[0],
    ];
    return { ...middle, least: first.ratio, greatest: last.ratio };
  } finally {
    await bare.stop();
  }
}
