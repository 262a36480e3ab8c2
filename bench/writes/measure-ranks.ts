import { type DataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { openSession, type Served, serve } from '../harness/measure.ts';
import { type Helper, startKith } from '../harness/processes.ts';
import { DISTINCT, mixedPaths } from '../harness/requests.ts';
import { sum } from '../numbers.ts';
import type { Bench } from '../parts/part.ts';

/** Read throughput, and CPU milliseconds of the server per request. */
export interface Reads {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** One ranking under load, with the reads before and during it. */
export interface BusyRanks {
  readonly ms: number;
  readonly before: Reads;
  readonly during: Reads;
}

export interface RanksJob {
  /** Merges the search index into one segment, as after a load; rankings leave several. */
  readonly tidies?: boolean;
}

export type RanksProcess = Helper<RanksJob, number | null>;

/** Runs a ranking that is due and returns its milliseconds. */
export async function makeDueRanks(ranks: RanksProcess): Promise<number> {
  const ms = await ranks.run({});
  if (ms === null) throw new Error('no ranking was due');
  return ms;
}

/** Short, so that little of the measured time is after the ranking. */
const SLICE_MS = 250;
/** How long reads are measured before a ranking. */
const BEFORE_MS = 2_000;

/** Runs rankings while a server is under load; `change` makes each of them due. */
export async function rankUnderLoad(
  { load }: Bench,
  dataSet: DataSet,
  ranks: RanksProcess,
  change: () => Promise<unknown>,
  rounds: number,
): Promise<BusyRanks[]> {
  const paths = mixedPaths(select<Subject>(dataSet, SUBJECTS), DISTINCT);
  const server = await startKith({ DATABASE_URL: dataSet.url, CACHE_MB: '0' });
  const session = await openSession(load, server, paths);
  const results: BusyRanks[] = [];
  const readWhile = async (isRunning: () => boolean): Promise<Reads> => {
    const slices: Served[] = [];
    do slices.push(await serve(session, server, SLICE_MS));
    while (isRunning());
    const requests = sum(slices.map((slice) => slice.requests));
    const seconds = sum(slices.map((slice) => slice.seconds));
    return { perSecond: requests / seconds, cpuMs: (sum(slices.map((slice) => slice.serving)) * 1000) / requests };
  };
  try {
    await session.run({ ms: BEFORE_MS });
    for (let round = 0; round < rounds; round++) {
      await change();
      const end = performance.now() + BEFORE_MS;
      const before = await readWhile(() => performance.now() < end);
      let isOver = false;
      const made = makeDueRanks(ranks).finally(() => {
        isOver = true;
      });
      const during = await readWhile(() => !isOver);
      results.push({ ms: await made, before, during });
    }
    await session.close();
  } finally {
    await server.stop();
  }
  return results;
}
