import { type DataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { aimAt, type Served, serve } from '../harness/measure.ts';
import { type Helper, startKith } from '../harness/processes.ts';
import { DISTINCT, mixedPaths } from '../harness/requests.ts';
import { sum } from '../numbers.ts';
import type { Bench } from '../parts/part.ts';

/** Reads beside something else: CPU in milliseconds of the server for each request. */
export interface Reads {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** One making of the ranks under load, with the reads before it and during it. */
export interface BusyRanks {
  readonly ms: number;
  readonly before: Reads;
  readonly during: Reads;
}

export interface RanksJob {
  /** Leaves the index to search by in one part, as it is after a load: ranks leave it in several. */
  readonly tidies?: boolean;
}

export type RanksProcess = Helper<RanksJob, number | null>;

/** Makes ranks that are due, and tells how many milliseconds it took. */
export async function makeDueRanks(ranks: RanksProcess): Promise<number> {
  const ms = await ranks.run({});
  if (ms === null) throw new Error('there was nothing to rank anew');
  return ms;
}

/** Short, so that little of what is measured lies after the end of the ranks. */
const SLICE_MS = 250;
/** How long reads are measured before. */
const BEFORE_MS = 2_000;

/** Makes ranks while a server is kept busy; `change` sees to it that they are due. */
export async function rankUnderLoad(
  { load }: Bench,
  dataSet: DataSet,
  ranks: RanksProcess,
  change: () => Promise<unknown>,
  rounds: number,
): Promise<BusyRanks[]> {
  const paths = mixedPaths(select<Subject>(dataSet, SUBJECTS), DISTINCT);
  const server = await startKith({ DATABASE_URL: dataSet.url, CACHE_MB: '0' });
  const aim = await aimAt(load, server, paths);
  const results: BusyRanks[] = [];
  const readWhile = async (isGoingOn: () => boolean): Promise<Reads> => {
    const slices: Served[] = [];
    do slices.push(await serve(aim, server, SLICE_MS));
    while (isGoingOn());
    const requests = sum(slices.map((slice) => slice.requests));
    const seconds = sum(slices.map((slice) => slice.seconds));
    return { perSecond: requests / seconds, cpuMs: (sum(slices.map((slice) => slice.serving)) * 1000) / requests };
  };
  try {
    await aim.run({ ms: BEFORE_MS });
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
    await aim.leave();
  } finally {
    await server.stop();
  }
  return results;
}
