import { type DataSet, makeDataSet } from '../harness/data-sets.ts';
import { startHelper } from '../harness/processes.ts';
import { median, millis, spread, whole } from '../numbers.ts';
import type { Bench } from '../parts/part.ts';
import { atLeast, type Bar, below, type Findings, type Table } from '../report/findings.ts';
import { drawBlocks, type LiveOp } from './draw-ops.ts';
import { applyAll, openLiveChain } from './live-chain.ts';
import { type BusyRanks, makeDueRanks, type RanksProcess, type Reads, rankUnderLoad } from './measure-ranks.ts';
import { profileBlocks } from './profile-block.ts';

/** Warm-up: compiles the hot code and fills the page cache. */
const BLOCKS_BEFORE = 8;
const BLOCKS = 12;
const BLOCK_BAR_MS = 50;
/** Blocks without a pause. */
const BLOCKS_IN_A_ROW = 6;
const RANK_ROUNDS = 3;
const RANKS_BAR_MS = 10_000;
/** Reads may slow down by a fifth. */
const READS_BAR = 0.8;

/** Live blocks and rankings on a large graph; all of it is rewound. */
export async function measureLive(bench: Bench): Promise<Findings> {
  const dataSet = await makeDataSet(bench.options.large);
  // One before each ranking.
  const blocks = drawBlocks(dataSet, BLOCKS_BEFORE + BLOCKS + BLOCKS_IN_A_ROW + 2 * RANK_ROUNDS);
  const settling = blocks.slice(0, BLOCKS_BEFORE + BLOCKS);
  // Brings the pages that they touch into the operating system's cache.
  const first = (await applyAll(dataSet.path, settling)).slice(BLOCKS_BEFORE);
  bench.log(`blocks for the first time: ${first.map(millis).join(', ')}`);
  const live = await runLive(bench, dataSet, blocks);
  const { applied, quiet, busy } = live;
  const size = `${whole(bench.options.large)} accounts`;
  const block = below(`a block of 200 ops, ${size}`, BLOCK_BAR_MS, median(applied), `${spread(applied, 1)} ms`);
  const ranks = below(`a ranking, ${size}`, RANKS_BAR_MS, median(quiet), `${spread(quiet, 0)} ms`);
  const tables = [tableOf(size, { first, ...live })];
  if (!block.isReached) tables.push(await profileBlocks(dataSet.path, settling, BLOCKS_BEFORE));
  return { bars: [block, ranks, ...readBars(busy)], tables, plots: [] };
}

interface Live {
  readonly applied: readonly number[];
  readonly blockRate: number;
  /** Rankings without load and under load. */
  readonly quiet: readonly number[];
  readonly busy: readonly BusyRanks[];
}

async function runLive(bench: Bench, dataSet: DataSet, blocks: readonly LiveOp[][]): Promise<Live> {
  const { log } = bench;
  const chain = await openLiveChain(dataSet.path);
  const ranks: RanksProcess = startHelper(new URL('./ranks-process.js', import.meta.url), [dataSet.path]);
  const left = blocks.values();
  const applyNext = () => chain.apply(left.next().value ?? []);
  try {
    for (let block = 0; block < BLOCKS_BEFORE; block++) await applyNext();
    const applied: number[] = [];
    while (applied.length < BLOCKS) applied.push(await applyNext());
    log(`blocks: ${applied.map(millis).join(', ')}`);
    const began = performance.now();
    for (let block = 0; block < BLOCKS_IN_A_ROW; block++) await applyNext();
    const blockRate = (BLOCKS_IN_A_ROW * 1000) / (performance.now() - began);
    const quiet: number[] = [];
    for (let round = 0; round < RANK_ROUNDS; round++) {
      await applyNext();
      quiet.push(await makeDueRanks(ranks));
    }
    log(`ranks: ${quiet.map(millis).join(', ')}`);
    const busy = await rankUnderLoad(bench, dataSet, ranks, async () => void (await applyNext()), RANK_ROUNDS);
    log(`ranks under load: ${busy.map(({ ms }) => millis(ms)).join(', ')}`);
    return { applied, blockRate, quiet, busy };
  } finally {
    await chain.rewind();
    // Restores the ranks of the original graph.
    await ranks.run({ tidies: true });
    await ranks.stop();
    await chain.close();
  }
}

const ratios = (busy: readonly BusyRanks[], of: (reads: Reads) => number) =>
  busy.map(({ before, during }) => of(during) / of(before));

function readBars(busy: readonly BusyRanks[]): Bar[] {
  const throughput = ratios(busy, ({ perSecond }) => perSecond);
  const cpu = ratios(busy, ({ cpuMs }) => 1 / cpuMs);
  return [
    atLeast('reads during a ranking, relative to before', READS_BAR, median(throughput), spread(throughput)),
    atLeast('the same per CPU second of the server', READS_BAR, median(cpu), spread(cpu)),
  ];
}

function tableOf(size: string, { first, applied, blockRate, busy }: Live & { first: readonly number[] }): Table {
  const read = (name: string, reads: readonly Reads[]) => [
    [`requests per second ${name}`, reads.map(({ perSecond }) => whole(perSecond)).join(', ')],
    [`server CPU per request ${name}`, reads.map(({ cpuMs }) => millis(cpuMs)).join(', ')],
  ];
  return {
    title: `Live, ${size}`,
    note: 'The server, the load generator and the ranking process each use a core. With only two cores, reads lose throughput to that alone, so the CPU time per request is shown as well. All kinds of requests in rotation, cache off.',
    columns: ['measure', 'value'],
    rows: [
      [`${applied.length} blocks of 200 ops, until they are visible`, applied.map(millis).join(', ')],
      ['the same blocks on the first run, with a cold cache', first.map(millis).join(', ')],
      ['blocks per second without a pause', blockRate.toFixed(1)],
      ['rankings under load', busy.map(({ ms }) => millis(ms)).join(', ')],
      ...read(
        'before',
        busy.map(({ before }) => before),
      ),
      ...read(
        'during',
        busy.map(({ during }) => during),
      ),
    ],
  };
}
