import { demoLogs } from '../../src/demo/demo-logs.ts';
import { parseRawLog } from '../../src/protocol/parse-log.ts';
import { demoArguments } from '../harness/data-sets.ts';
import { runKith } from '../harness/processes.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { createScratchFolder, loadParsed, NOW, timeLoads } from '../ingest/time-loads.ts';
import { median, spread, whole } from '../numbers.ts';
import type { Bench } from '../parts/part.ts';
import { CLONE } from '../paths.ts';
import { atMost, type Findings } from '../report/findings.ts';

/** About 600,000 logs. */
const ACCOUNTS = 20_000;
const ROUNDS = 3;
const INSERTS_BAR = 7;
const MEMORY_BAR_MB = 450;

/** Loads logs into an empty database. */
export async function measureLoad({ log }: Bench): Promise<Findings> {
  const parsed = Array.from(demoLogs({ accounts: ACCOUNTS, seed: 1, now: NOW }), parseRawLog);
  const scratch = await createScratchFolder();
  const folder = temporaryFolder();
  try {
    const open = () => scratch.openFresh(true);
    const times = await timeLoads(scratch, parsed.length, ROUNDS, open, (store) => loadParsed(store, parsed));
    const inserts = times.logs.map((micros, i) => micros / (times.bare[i] ?? Number.NaN));
    log(`a log costs ${spread(inserts, 1)} inserts`);
    const url = `sqlite:${folder.path}demo.db`;
    const { cpuSeconds, peakMegabytes } = await runKith(CLONE, demoArguments(ACCOUNTS), { DATABASE_URL: url });
    const logs = `${whole(parsed.length)} logs`;
    return {
      bars: [
        {
          ...atMost('a log of a load, in bare inserts', INSERTS_BAR, '', median(inserts), spread(inserts, 1)),
          advice:
            'Profile a load (`node --cpu-prof bin/kith.js import logs FILE`), and count the rows that a log writes.',
        },
        {
          ...atMost(
            `peak memory of a load of ${logs}`,
            MEMORY_BAR_MB,
            ' MB',
            peakMegabytes,
            `${whole(peakMegabytes)} MB`,
          ),
          advice: 'Something keeps a value for each log: take a heap snapshot near the end of a load.',
        },
      ],
      tables: [
        {
          title: `${logs} into an empty SQLite database`,
          note: 'Decode, fold and write of parsed logs, alternately with bare inserts of a small row. Then `kith demo` of the same size, which also generates them.',
          columns: ['measure', 'value'],
          rows: [
            ['logs per second', times.logs.map((micros) => whole(1e6 / micros)).join(', ')],
            ['cost of a log in bare inserts', spread(inserts, 1)],
            ['CPU time of `kith demo` for each log', `${((cpuSeconds * 1e6) / parsed.length).toFixed(0)} µs`],
            ['peak memory of `kith demo`', `${whole(peakMegabytes)} MB`],
          ],
        },
      ],
    };
  } finally {
    await scratch.close();
    folder.remove();
  }
}
