import { makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { cpuSeconds, peakMegabytes } from '../harness/process-stats.ts';
import { startKith } from '../harness/processes.ts';
import { API, KINDS, pathsOf } from '../harness/requests.ts';
import { median, millis, whole } from '../numbers.ts';
import { CLONE } from '../paths.ts';
import { atMost, below } from '../report/findings.ts';
import type { Part } from './part.ts';

const STARTS = 5;
/** CPU time: on an idle machine about as long as it takes. */
const START_BAR_MS = 2_000;
const MEMORY_BAR_MB = 400;
/** Different requests of each kind. */
const REQUESTS = 1_000;

/** Time to the first answer, and memory of a serving process. */
export const start: Part = {
  name: 'start',
  title: 'Start and memory',
  async run({ options, load, log }) {
    const dataSet = await makeDataSet(CLONE, options.large);
    const subjects = select<Subject>(dataSet, SUBJECTS);
    const env = { DATABASE_URL: dataSet.url };
    const starts: number[] = [];
    const waits: number[] = [];
    for (let i = 0; i < STARTS; i++) {
      const began = performance.now();
      const server = await startKith(CLONE, env);
      await (await fetch(`http://127.0.0.1:${server.port}${API}/lists/${subjects[0]?.list}/details`)).text();
      waits.push(performance.now() - began);
      starts.push(cpuSeconds(server.pid) * 1000);
      await server.stop();
    }
    log(`starts: ${starts.map(millis).join(', ')}`);
    const server = await startKith(CLONE, env);
    try {
      const idle = peakMegabytes(server.pid);
      const session = await load.open(server, 16);
      for (const kind of KINDS) {
        const run = await session.prepare(pathsOf(kind, subjects, REQUESTS));
        await run({ requests: REQUESTS });
      }
      await session.close();
      const peak = peakMegabytes(server.pid);
      const size = `${whole(options.large)} accounts`;
      const [{ bytes = 0 } = {}] = select<{ bytes: number }>(
        dataSet,
        'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
      );
      return {
        bars: [
          {
            ...below(`CPU of a start to its first answer, ${size}`, START_BAR_MS, median(starts)),
            advice: 'Find the import or the statement that a start now waits for, and do it after the first answer.',
          },
          {
            ...atMost(`peak memory of a serving process, ${size}`, MEMORY_BAR_MB, ' MB', peak, `${whole(peak)} MB`),
            advice: 'Take a heap snapshot after the run; until then give the container more memory, or lower CACHE_MB.',
          },
        ],
        tables: [
          {
            title: 'Memory and disk',
            note: `${size}. Resident memory of the process as Linux reports it, with the default cache.`,
            columns: ['measure', 'value'],
            rows: [
              [`CPU time of ${STARTS} starts`, starts.map(millis).join(', ')],
              ['from start to first answer', waits.map(millis).join(', ')],
              ['memory when it listens', `${whole(idle)} MB`],
              [`the most during ${whole(KINDS.length * REQUESTS)} requests of all kinds`, `${whole(peak)} MB`],
              ['database', `${whole(bytes / 1e6)} MB, ${whole(bytes / options.large)} bytes for each account`],
            ],
          },
        ],
      };
    } finally {
      await server.stop();
    }
  },
};
