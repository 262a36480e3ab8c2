import { demoLogs } from '../../src/demo/demo-logs.ts';
import type { ChainLog } from '../../src/protocol/decode-log.ts';
import { parseRawLog } from '../../src/protocol/parse-log.ts';
import { loadParsed, NOW, openWorkshop, timeLoads, type Workshop } from '../ingest/time-loads.ts';
import { median, spread, whole } from '../numbers.ts';
import type { Bench } from '../parts/part.ts';
import { profile } from '../profile/profile.ts';
import { atLeast, type Findings, type Table } from '../report/findings.ts';

const ACCOUNTS = 20_000;
const ROUNDS = 3;
const LOGS_BAR = 50_000;

/** Logs into an empty database. */
export async function measureLoad({ tell }: Bench): Promise<Findings> {
  const parsed = Array.from(demoLogs({ accounts: ACCOUNTS, seed: 1, now: NOW }), parseRawLog);
  const workshop = await openWorkshop();
  try {
    const open = () => workshop.openFresh(true);
    const times = await timeLoads(workshop, parsed.length, ROUNDS, open, (store) => loadParsed(store, parsed));
    const rates = times.logs.map((micros) => 1e6 / micros);
    const inserts = times.logs.map((micros, i) => micros / (times.bare[i] ?? Number.NaN));
    tell(`${whole(median(rates))} logs a second`);
    const bar = atLeast(
      'logs a second into SQLite: decode, fold, write',
      LOGS_BAR,
      median(rates),
      whole(median(rates)),
    );
    const table: Table = {
      title: `${whole(parsed.length)} logs into an empty SQLite database`,
      columns: ['what', 'measured'],
      rows: [
        ['logs a second', rates.map(whole).join(', ')],
        ['one log, in bare inserts of a small row', spread(inserts)],
      ],
    };
    const profiles = bar.isReached ? [] : [await profileLoad(workshop, parsed)];
    return { bars: [bar], tables: [table, ...profiles], plots: [] };
  } finally {
    await workshop.close();
  }
}

/** Shows why the bar was missed. */
async function profileLoad(workshop: Workshop, parsed: readonly ChainLog[]): Promise<Table> {
  const store = await workshop.openFresh(false);
  const micros = await profile(() => loadParsed(store, parsed));
  await store.close();
  return {
    title: 'Where the time of a load goes',
    note: 'The same once more with a profiler, all in one thread; otherwise a second one writes while the next rows are made.',
    columns: ['part', 'µs a log'],
    rows: [...micros].sort(([, a], [, b]) => b - a).map(([part, value]) => [part, (value / parsed.length).toFixed(1)]),
  };
}
