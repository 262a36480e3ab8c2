import { demoLogs } from '../../src/demo/demo-logs.ts';
import { parseRawLog } from '../../src/ingest/raw-log.ts';
import { makeDataSet } from '../harness/data-sets.ts';
import { startHelper } from '../harness/processes.ts';
import { loadParsed, NOW, openWorkshop, timeLoads } from '../ingest/time-loads.ts';
import { median, millis, spread, sum, whole } from '../numbers.ts';
import { atLeast, type Bar, below, type Findings, type Table } from '../report/findings.ts';
import { drawBlocks } from '../writes/draw-ops.ts';
import { openLiveChain } from '../writes/live-chain.ts';
import { type BusyRanks, makeDueRanks, type RanksProcess, type Reads, rankUnderLoad } from '../writes/measure-ranks.ts';
import type { Bench, Part } from './part.ts';

const LOAD_ACCOUNTS = 20_000;
const LOAD_ROUNDS = 3;
const LOGS_BAR = 50_000;
/** An indexer has been running for long: its code is compiled, and its cache of pages is full. */
const BLOCKS_BEFORE = 8;
const BLOCKS = 12;
const BLOCK_BAR_MS = 50;
/** Blocks that come without a pause. */
const BLOCKS_IN_A_ROW = 6;
const RANK_ROUNDS = 3;
const RANKS_BAR_MS = 10_000;
/** Reads may become a fifth slower. */
const READS_BAR = 0.8;

export const writes: Part = {
  name: 'writes',
  title: 'Writing',
  async run(bench) {
    const parts = [await measureLoad(bench), await measureLive(bench)];
    return { bars: parts.flatMap(({ bars }) => bars), tables: parts.flatMap(({ tables }) => tables), plots: [] };
  },
};

/** Logs into an empty database. */
async function measureLoad({ tell }: Bench): Promise<Findings> {
  const parsed = Array.from(demoLogs({ accounts: LOAD_ACCOUNTS, seed: 1, now: NOW }), parseRawLog);
  const workshop = await openWorkshop();
  try {
    const open = () => workshop.openFresh(true);
    const times = await timeLoads(workshop, parsed.length, LOAD_ROUNDS, open, (store) => loadParsed(store, parsed));
    const rates = times.logs.map((micros) => 1e6 / micros);
    const inserts = times.logs.map((micros, i) => micros / (times.bare[i] ?? Number.NaN));
    tell(`${whole(median(rates))} logs a second`);
    return {
      bars: [atLeast('logs a second into SQLite: decode, fold, write', LOGS_BAR, median(rates), whole(median(rates)))],
      tables: [
        {
          title: `${whole(parsed.length)} logs into an empty SQLite database`,
          columns: ['what', 'measured'],
          rows: [
            ['logs a second', rates.map(whole).join(', ')],
            ['one log, in bare inserts of a small row', spread(inserts)],
          ],
        },
      ],
      plots: [],
    };
  } finally {
    await workshop.close();
  }
}

/** New blocks on a large graph and the ranks after them; all of it is taken back. */
async function measureLive(bench: Bench): Promise<Findings> {
  const { options, tell } = bench;
  const dataSet = await makeDataSet(options.large);
  // One before every making of the ranks.
  const blocks = drawBlocks(dataSet, BLOCKS_BEFORE + BLOCKS + BLOCKS_IN_A_ROW + 2 * RANK_ROUNDS);
  const chain = await openLiveChain(dataSet.path);
  const ranks: RanksProcess = startHelper(new URL('../writes/ranks-process.js', import.meta.url), [dataSet.path]);
  const applyNext = () => chain.apply(blocks.shift() ?? []);
  const settleNext = async () => {
    await applyNext();
    await chain.place();
  };
  try {
    for (let block = 0; block < BLOCKS_BEFORE; block++) await settleNext();
    const applied: number[] = [];
    const placed: number[][] = [];
    while (applied.length < BLOCKS) {
      applied.push(await applyNext());
      placed.push(await chain.place());
    }
    tell(`blocks: ${applied.map(millis).join(', ')}`);
    const began = performance.now();
    for (let block = 0; block < BLOCKS_IN_A_ROW; block++) await applyNext();
    await chain.place();
    const blockRate = (BLOCKS_IN_A_ROW * 1000) / (performance.now() - began);
    tell(`placing: ${placed.map((rounds) => millis(sum(rounds))).join(', ')}`);
    const quiet: number[] = [];
    for (let round = 0; round < RANK_ROUNDS; round++) {
      await settleNext();
      quiet.push(await makeDueRanks(ranks));
    }
    tell(`ranks: ${quiet.map(millis).join(', ')}`);
    const busy = await rankUnderLoad(bench, dataSet, ranks, settleNext, RANK_ROUNDS);
    tell(`ranks under load: ${busy.map(({ ms }) => millis(ms)).join(', ')}`);
    const size = `${whole(options.large)} accounts`;
    return {
      bars: [
        below(`a block of 200 ops, ${size}`, BLOCK_BAR_MS, median(applied), `${spread(applied, 1)} ms`),
        below(`making the ranks, ${size}`, RANKS_BAR_MS, median(quiet), `${spread(quiet, 0)} ms`),
        ...readBars(busy),
      ],
      tables: [tableOf(size, { applied, placed, blockRate, busy })],
      plots: [],
    };
  } finally {
    await chain.rewind();
    // The graph is what it was, and so are its ranks.
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
    atLeast('reads while ranks are made, of those before', READS_BAR, median(throughput), spread(throughput)),
    atLeast('the same for each second of the server’s CPU', READS_BAR, median(cpu), spread(cpu)),
  ];
}

interface Live {
  readonly applied: readonly number[];
  /** The transactions that placed accounts after each block. */
  readonly placed: readonly (readonly number[])[];
  readonly blockRate: number;
  readonly busy: readonly BusyRanks[];
}

function tableOf(size: string, { applied, placed, blockRate, busy }: Live): Table {
  const read = (name: string, reads: readonly Reads[]) => [
    [`requests a second ${name}`, reads.map(({ perSecond }) => whole(perSecond)).join(', ')],
    [`CPU of the server for a request ${name}`, reads.map(({ cpuMs }) => millis(cpuMs)).join(', ')],
  ];
  return {
    title: `Live, ${size}`,
    note: 'The server, the generator of requests and the process that makes ranks want a core each: where there are only two, reads lose throughput to that alone, so the CPU time that the server needs for a request is told as well. All kinds of requests in turn, cache off.',
    columns: ['what', 'measured'],
    rows: [
      [`${applied.length} blocks of 200 ops, until they can be seen`, applied.map(millis).join(', ')],
      ['placing accounts behind each of them', placed.map((rounds) => millis(sum(rounds))).join(', ')],
      ['the longest that a block would wait for it', placed.map((rounds) => millis(Math.max(...rounds))).join(', ')],
      ['blocks a second without a pause, accounts placed', blockRate.toFixed(1)],
      ['making the ranks under load', busy.map(({ ms }) => millis(ms)).join(', ')],
      ...read(
        'before',
        busy.map(({ before }) => before),
      ),
      ...read(
        'meanwhile',
        busy.map(({ during }) => during),
      ),
    ],
  };
}
