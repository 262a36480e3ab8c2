import { sum, whole } from '../numbers.ts';
import { CHECKPOINT, watchStatements } from '../profile/time-statements.ts';
import type { Table } from '../report/findings.ts';
import type { LiveOp } from './draw-ops.ts';
import { type Around, applyAll } from './live-chain.ts';

/** Statements that take less per block are omitted. */
const LEAST_MS = 0.5;

/** Time per kind of statement of a live block, in a single thread; the first `before` blocks are not counted. */
export async function profileBlocks(path: string, blocks: readonly LiveOp[][], before: number): Promise<Table> {
  const watch = watchStatements();
  let took: number[];
  try {
    const around: Around = (i, apply) => (i < before ? apply() : watch.during(apply));
    took = (await applyAll(path, blocks, { threads: false, around })).slice(before);
  } finally {
    watch.stop();
  }
  const perBlock = (total: number) => total / took.length;
  const all = [...watch.times].map(([kind, time]) => ({ kind, ...time })).sort((a, b) => b.ms - a.ms);
  const checkpointMs = watch.times.get(CHECKPOINT)?.ms ?? 0;
  const otherMs = sum(took) - sum(all.map(({ ms }) => ms));
  return {
    title: 'Time of a block by statement',
    note: `The means of ${took.length} blocks, which took ${perBlock(sum(took) - checkpointMs).toFixed(1)} ms, all in one thread. The checkpoint runs after a block. Pages read are misses of SQLite’s page cache.`,
    columns: ['statement', 'ms', 'runs', 'pages read', 'pages read from disk'],
    rows: [
      ['code outside SQLite, and measuring', perBlock(otherMs).toFixed(1), '', '', ''],
      ...all
        .filter(({ ms }) => perBlock(ms) >= LEAST_MS)
        .map(({ kind, ms, runs, pages, diskPages }) => [
          kind,
          perBlock(ms).toFixed(1),
          ...[runs, pages, diskPages].map((count) => whole(perBlock(count))),
        ]),
    ],
  };
}
