import { readConfig } from '../../src/config/config.ts';
import { makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { runLoad } from '../harness/measure.ts';
import { peakMegabytes } from '../harness/process-stats.ts';
import { type Server, startKith } from '../harness/processes.ts';
import { API, KINDS, pathsOf } from '../harness/requests.ts';
import { median, millis, whole } from '../numbers.ts';
import { below } from '../report/findings.ts';
import type { Bench, Part } from './part.ts';

const STARTS = 5;
const START_BAR_MS = 2_000;
const MEMORY_BAR_MB = 300;
const { cacheBytes: CACHE_BYTES } = readConfig({});
/** Each round sends different requests of all kinds. The cache is full after one or two rounds, the heap later. */
const ROUNDS = 12;
const ROUND_MS = 250;

/** Time to the first answer and peak memory on a large database. */
export const start: Part = {
  name: 'start',
  title: 'Start and memory',
  async run(bench) {
    const { options, log } = bench;
    const dataSet = await makeDataSet(options.large);
    const subjects = select<Subject>(dataSet, SUBJECTS);
    const env = { DATABASE_URL: dataSet.url };
    const path = `${API}/lists/${subjects[0]?.list}/details`;
    const starts: number[] = [];
    for (let i = 0; i < STARTS; i++) {
      const began = performance.now();
      const server = await startKith(env);
      await get(server, path);
      starts.push(performance.now() - began);
      await server.stop();
    }
    log(`starts: ${starts.map(millis).join(', ')}`);
    const server = await startKith(env);
    try {
      const idle = peakMegabytes(server.pid);
      const { cacheBytes, requests } = await requestAll(bench, server, subjects);
      const peak = peakMegabytes(server.pid);
      const size = whole(options.large);
      return {
        bars: [
          below(`start to first answer, ${size} accounts`, START_BAR_MS, median(starts)),
          {
            what: `peak memory of the serving process, ${size} accounts`,
            bar: `below ${MEMORY_BAR_MB} MB`,
            measured: `${whole(peak)} MB`,
            isReached: peak < MEMORY_BAR_MB,
          },
        ],
        tables: [
          {
            title: 'Details',
            note: 'Resident memory as reported by Linux. All kinds of requests, with the default cache.',
            columns: ['measure', 'value'],
            rows: [
              [`${STARTS} starts`, starts.map(millis).join(', ')],
              ['peak memory until it listens', `${whole(idle)} MB`],
              [`peak memory during ${whole(requests)} requests`, `${whole(peak)} MB`],
              ['cache size after that', `${(cacheBytes / 2 ** 20).toFixed(1)} of ${CACHE_BYTES / 2 ** 20} MiB`],
            ],
          },
        ],
        plots: [],
      };
    } finally {
      await server.stop();
    }
  },
};

async function requestAll({ load, log }: Bench, server: Server, subjects: readonly Subject[]) {
  let [cacheBytes, requests] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of KINDS) {
      const paths = pathsOf(kind, subjects, 50_000, round);
      requests += (await runLoad(load, server, paths, ROUND_MS)).requests;
    }
    const [, bytes] = /^kith_cache_bytes (\d+)/m.exec(await get(server, '/metrics')) ?? [];
    cacheBytes = Number(bytes);
    log(
      `${whole(requests)} requests: ${whole(cacheBytes / 1e6)} MB in the cache, ${whole(peakMegabytes(server.pid))} MB peak memory`,
    );
  }
  return { cacheBytes, requests };
}

async function get({ port }: Server, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  return response.text();
}
