import pg from 'pg';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { demoArguments, HEAP_MB, SUBJECTS, type Subject } from '../harness/data-sets.ts';
import { comparePairs, type Pair } from '../harness/measure.ts';
import { cpuSeconds, endedCpuSeconds } from '../harness/process-stats.ts';
import { runKith } from '../harness/processes.ts';
import * as requests from '../harness/requests.ts';
import { createServers, expectSameAnswers } from '../harness/servers.ts';
import { whole } from '../numbers.ts';
import { CLONE } from '../paths.ts';
import { atMost } from '../report/findings.ts';
import { BY_HAND } from './pages.ts';
import type { Part } from './part.ts';
import { ratioBar, ratioTable } from './ratios.ts';

const POOL = 10;
const BAR = 1.5;
const ADVICE =
  'If the same page is at its bar on SQLite, look at `src/store/postgres`: a second statement, or one that is not prepared.';
/** 25,000 logs a second on two cores are 80, if neither process ever waits for the other. */
const LOAD_BAR_MICROS = 65;
const LOAD_ADVICE =
  'Profile `kith demo` with `node --cpu-prof` and the session of the server with `perf`; count the statements of a batch, and the indexes that are maintained.';
const WITH_BARS = [requests.FOLLOWERS, requests.DETAILS, requests.NOTIFICATIONS];

/** Pages on PostgreSQL, relative to a hand-written handler on pg: the CPU time of the API process, not of PostgreSQL. */
export const postgres: Part = {
  name: 'postgres',
  title: 'PostgreSQL',
  async run({ options, load, log }) {
    const database = await startPostgresServer();
    const servers = createServers();
    try {
      log(`loading ${whole(options.postgresAccounts)} accounts`);
      const serverSeconds = () => cpuSeconds(database.pid()) + endedCpuSeconds(database.pid());
      const before = serverSeconds();
      const usage = await runKith(
        CLONE,
        demoArguments(options.postgresAccounts),
        { DATABASE_URL: database.url },
        HEAP_MB,
      );
      const after = serverSeconds();
      const { subjects, logs } = await readLoaded(database.url);
      const micros = (seconds: number) => (seconds * 1e6) / logs;
      const [ours, theirs] = [micros(usage.cpuSeconds), micros(after - before)];
      const kith = await servers.kith({ DATABASE_URL: database.url, DATABASE_POOL: String(POOL), CACHE_MB: '0' });
      const byHand = await servers.byHand(database.url, POOL);
      const pairs: Pair[] = [];
      for (const kind of BY_HAND) {
        const paths = requests.pathsOf(kind, subjects);
        const pair = {
          name: `PostgreSQL: ${kind.name}`,
          ours: { servers: kith, paths },
          base: { servers: byHand, paths },
        };
        await expectSameAnswers(pair.ours, pair.base);
        pairs.push(pair);
      }
      const compared = await comparePairs({ load, seconds: options.seconds / 2 }, pairs, log);
      const note = `${whole(options.postgresAccounts)} accounts, cache off, a pool of ${POOL} connections on both sides. PostgreSQL runs on the same machine with its default settings, but without fsync.`;
      const names = WITH_BARS.map(({ name }) => `PostgreSQL: ${name}`);
      return {
        bars: [
          ...compared.filter(({ name }) => names.includes(name)).map((one) => ratioBar(one, BAR, ADVICE)),
          {
            ...atMost(
              'PostgreSQL: CPU time of a log of a load',
              LOAD_BAR_MICROS,
              ' µs',
              ours + theirs,
              `${whole(ours + theirs)} µs: ${whole(ours)} of Kith and ${whole(theirs)} of the server`,
            ),
            advice: LOAD_ADVICE,
          },
        ],
        tables: [
          ratioTable('Pages on PostgreSQL, relative to a hand-written handler on pg', note, 'by hand', compared),
        ],
      };
    } finally {
      await servers.stop();
      await database.stop();
    }
  },
};

async function readLoaded(url: string): Promise<{ subjects: Subject[]; logs: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Autovacuum would do this within minutes of a load.
    await client.query('vacuum analyze');
    const logs = await client.query<{ value: string }>("select value from state where key = 'logs'");
    return { subjects: (await client.query<Subject>(SUBJECTS)).rows, logs: Number(logs.rows[0]?.value) };
  } finally {
    await client.end();
  }
}
