import type { Subject } from '../harness/data-sets.ts';
import { timeEach } from '../harness/measure.ts';
import { startKith } from '../harness/processes.ts';
import { API, createDraw, searchFor } from '../harness/requests.ts';
import { median, millis } from '../numbers.ts';
import { below, type Findings } from '../report/findings.ts';
import type { Bench } from './part.ts';

const TERMS = 300;
const BAR_MS = 10;
/** A term counts as slow only if it is slow every time. */
const TRIES = 3;
const SHOWN = 5;

/** Finds the slowest of many search terms, each timed alone. */
export async function timeTerms({ load, log }: Bench, url: string, subjects: readonly Subject[]): Promise<Findings> {
  const draw = createDraw(subjects, 11);
  const drawn = new Set<string>();
  // Some lengths and kinds have few different terms, so the number of draws is bounded.
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
    if (worst === undefined) throw new Error('no search terms');
    log(`the slowest of ${terms.length} search terms, "${worst.term}": ${millis(worst.ms)}`);
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
          title: 'Slowest search terms',
          note: `One at a time on one connection, cache off; the best of ${TRIES} tries for terms above ${BAR_MS} ms.`,
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
