import { computeRanks } from '../../src/ranks/update-ranks.ts';
import { makeDataSet } from '../harness/data-sets.ts';
import { median, millis, spread, whole } from '../numbers.ts';
import type { Bench } from '../parts/part.ts';
import { CLONE } from '../paths.ts';
import { below, type Findings } from '../report/findings.ts';
import { drawBlocks } from './draw-ops.ts';
import { openLiveChain } from './live-chain.ts';

/** Warm-up: compiles the hot code and fills the page cache. */
const BLOCKS_BEFORE = 8;
const BLOCKS = 12;
const BLOCK_BAR_MS = 100;
const RANKS = 3;
const RANKS_BAR_MS = 50;

/** Milliseconds of CPU time of this process, its threads included. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Live blocks and rankings; all of it is rewound. */
export async function measureLive({ options, log }: Bench): Promise<Findings> {
  const dataSet = await makeDataSet(CLONE, options.large);
  const blocks = drawBlocks(dataSet, BLOCKS_BEFORE + BLOCKS + RANKS).values();
  const chain = await openLiveChain(dataSet.path);
  const applyNext = () => cpuOf(() => chain.apply(blocks.next().value ?? []));
  const rank = () => chain.store.transaction((tx) => computeRanks(tx, Date.now()));
  try {
    for (let block = 0; block < BLOCKS_BEFORE; block++) await applyNext();
    const applied: number[] = [];
    while (applied.length < BLOCKS) applied.push(await applyNext());
    log(`blocks: ${applied.map(millis).join(', ')}`);
    // Each call ranks a part of what those blocks have changed.
    while ((await rank()) !== null);
    const ranked: number[] = [];
    while (ranked.length < RANKS) {
      await applyNext();
      ranked.push(await cpuOf(rank));
    }
    log(`rankings: ${ranked.map(millis).join(', ')}`);
    const size = `${whole(options.large)} accounts`;
    return {
      bars: [
        {
          ...below(`CPU of a block of 200 ops, ${size}`, BLOCK_BAR_MS, median(applied), `${spread(applied, 1)} ms`),
          advice: 'Count the statements and rows of a block: an op should write what it changed and no more.',
        },
        {
          ...below(
            `CPU of a ranking after a block of 200 ops, ${size}`,
            RANKS_BAR_MS,
            median(ranked),
            `${spread(ranked, 1)} ms`,
          ),
          advice: 'The ranking reads more than the accounts whose counts have changed; blocks wait for it meanwhile.',
        },
      ],
      tables: [],
    };
  } finally {
    await chain.rewind();
    // Restores the ranks of the original graph.
    await rank();
    await chain.close();
  }
}
