import type { Subject } from '../harness/data-sets.ts';
import { timeEach } from '../harness/measure.ts';
import { startKith } from '../harness/processes.ts';
import { API, createDraw, searchFor } from '../harness/requests.ts';
import { median, millis } from '../numbers.ts';
import { below, type Findings } from '../report/findings.ts';
import type { Bench } from './part.ts';

const TERMS = 300;
const BAR_MS = 10;
/** A machine has moments: a term is slow if it is slow every time. */
const TRIES = 3;
const SHOWN = 5;

/** The slowest of many search terms, each asked for alone. */
export async function timeTerms({ load, tell }: Bench, url: string, subjects: readonly Subject[]): Promise<Findings> {
  const draw = createDraw(subjects, 11);
  const drawn = new Set<string>();
  // Some lengths and kinds have few different terms: enough draws, rather than draws until there are enough.
  for (let i = 0; i < TERMS * 10 && drawn.size < TERMS; i++) drawn.add(draw.term());
  const terms = [...drawn];
  const server = await startKith({ DATABASE_URL: url, CACHE_MB: '0' });
  try {
    const pathOf = (term: string) => API + searchFor(term);
    await timeEach(load, server, terms.slice(0, 20).map(pathOf));
    const times = await timeEach(load, server, terms.map(pathOf));
    for (const [i, term] of terms.entries()) {
      if ((times[i] ?? 0) < BAR_MS) continue;
      const again = await timeEach(load, server, Array(TRIES - 1).fill(pathOf(term)));
      times[i] = Math.min(times[i] ?? 0, ...again);
    }
    const slowest = terms.map((term, i) => ({ term, ms: times[i] ?? 0 })).sort((a, b) => b.ms - a.ms);
    const [worst] = slowest;
    if (worst === undefined) throw new Error('there is nothing to search for');
    tell(`the slowest of ${terms.length} search terms, "${worst.term}": ${millis(worst.ms)}`);
    return {
      bars: [
        below(
          `the slowest of ${terms.length} search terms`,
          BAR_MS,
          worst.ms,
          `${millis(worst.ms)} ("${worst.term}"), median ${millis(median(times))}`,
        ),
      ],
      tables: [
        {
          title: 'The slowest search terms',
          note: `Alone on one connection, cache off; the best of ${TRIES} tries for those above ${BAR_MS} ms.`,
          columns: ['term', 'time'],
          rows: slowest.slice(0, SHOWN).map(({ term, ms }) => [`\`${term}\``, millis(ms)]),
        },
      ],
      plots: [],
    };
  } finally {
    await server.stop();
  }
}
