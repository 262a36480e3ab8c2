import { median, sum, whole } from '../numbers.ts';
import { type StatementTime, watchStatements } from '../profile/time-statements.ts';
import type { Table } from '../report/findings.ts';
import type { LiveOp } from './draw-ops.ts';
import { openLiveChain } from './live-chain.ts';

/** Statements that take less are told together. */
const LEAST_MS = 0.5;

/** Shows where the time of a live block goes, in one thread; the first `before` of the blocks are not counted. */
export async function profileBlocks(path: string, blocks: readonly LiveOp[][], before: number): Promise<Table> {
  const watch = watchStatements();
  const chain = await openLiveChain(path, { threads: false });
  const took: number[] = [];
  const counted: ReadonlyMap<string, StatementTime>[] = [];
  try {
    for (const [i, block] of blocks.entries()) {
      watch.clear();
      const ms = await chain.apply(block);
      if (i >= before) {
        took.push(ms);
        counted.push(structuredClone(watch.read()));
      }
      await chain.place();
    }
  } finally {
    watch.stop();
    await chain.rewind();
    await chain.close();
  }
  const mean = (kind: string): StatementTime => {
    const of = (part: keyof StatementTime) =>
      sum(counted.map((times) => times.get(kind)?.[part] ?? 0)) / counted.length;
    return { ms: of('ms'), runs: of('runs'), pages: of('pages'), diskPages: of('diskPages') };
  };
  const kinds = [...new Set(counted.flatMap((times) => [...times.keys()]))];
  const all = kinds.map((kind) => ({ kind, ...mean(kind) })).sort((a, b) => b.ms - a.ms);
  const small = all.filter(({ ms }) => ms < LEAST_MS);
  const together = (of: (one: StatementTime) => number) => sum(small.map(of));
  const other = {
    kind: `${small.length} others`,
    ms: together(({ ms }) => ms),
    runs: together(({ runs }) => runs),
    pages: together(({ pages }) => pages),
    diskPages: together(({ diskPages }) => diskPages),
  };
  const total = sum(took) / took.length;
  const rowOf = ({ kind, ms, runs, pages, diskPages }: typeof other) => [
    kind,
    ms.toFixed(1),
    ...[runs, pages, diskPages].map(whole),
  ];
  return {
    title: 'Where the time of a block goes',
    note: `The means of ${took.length} blocks of a median of ${median(took).toFixed(0)} ms, all in one thread. Pages are those that were not in SQLite’s own memory.`,
    columns: ['statements', 'ms', 'rows', 'pages read', 'of them from the disk'],
    rows: [
      ...all.filter(({ ms }) => ms >= LEAST_MS).map(rowOf),
      rowOf(other),
      ['our own code', (total - sum(all.map(({ ms }) => ms))).toFixed(1), '', '', ''],
    ],
  };
}
