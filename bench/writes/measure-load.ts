import { demoLogs } from '../../src/demo/demo-logs.ts';
import type { ChainLog } from '../../src/protocol/decode-log.ts';
import { parseRawLog } from '../../src/protocol/parse-log.ts';
import { createScratchFolder, loadParsed, NOW, type ScratchFolder, timeLoads } from '../ingest/time-loads.ts';
import { median, spread, whole } from '../numbers.ts';
import type { Bench } from '../parts/part.ts';
import { profile } from '../profile/profile.ts';
import { atLeast, type Findings, type Table } from '../report/findings.ts';

const ACCOUNTS = 20_000;
const ROUNDS = 3;
const LOGS_BAR = 50_000;

/** Loads logs into an empty database. */
export async function measureLoad({ log }: Bench): Promise<Findings> {
  const parsed = Array.from(demoLogs({ accounts: ACCOUNTS, seed: 1, now: NOW }), parseRawLog);
  const scratch = await createScratchFolder();
  try {
    const open = () => scratch.openFresh(true);
    const times = await timeLoads(scratch, parsed.length, ROUNDS, open, (store) => loadParsed(store, parsed));
    const rates = times.logs.map((micros) => 1e6 / micros);
    const inserts = times.logs.map((micros, i) => micros / (times.bare[i] ?? Number.NaN));
    log(`${whole(median(rates))} logs per second`);
    const bar = atLeast(
      'logs per second into SQLite: decode, fold, write',
      LOGS_BAR,
      median(rates),
      whole(median(rates)),
    );
    const table: Table = {
      title: `${whole(parsed.length)} logs into an empty SQLite database`,
      columns: ['measure', 'value'],
      rows: [
        ['logs per second', rates.map(whole).join(', ')],
        ['cost of a log in bare inserts of a small row', spread(inserts)],
      ],
    };
    const profiles = bar.isReached ? [] : [await profileLoad(scratch, parsed)];
    return { bars: [bar], tables: [table, ...profiles], plots: [] };
  } finally {
    await scratch.close();
  }
}

/** CPU profile of a load, if the bar was missed. */
async function profileLoad(scratch: ScratchFolder, parsed: readonly ChainLog[]): Promise<Table> {
  const store = await scratch.openFresh(false);
  const micros = await profile(() => loadParsed(store, parsed));
  await store.close();
  return {
    title: 'CPU profile of a load',
    note: 'Another load with a profiler, in a single thread. Otherwise a second thread writes while the next rows are computed.',
    columns: ['part', 'µs per log'],
    rows: [...micros].sort(([, a], [, b]) => b - a).map(([part, value]) => [part, (value / parsed.length).toFixed(1)]),
  };
}
