import pg from 'pg';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { makeDemo, SUBJECTS, type Subject } from '../harness/data-sets.ts';
import { CONNECTIONS, openSession, WARM_MS } from '../harness/measure.ts';
import { startHelper, startKith } from '../harness/processes.ts';
import { DISTINCT, KINDS, pathsOf } from '../harness/requests.ts';
import { median, spread, whole } from '../numbers.ts';
import type { Bench, Part } from './part.ts';

const POOL = 10;

/** Lookups on PostgreSQL, relative to `SELECT 1`. */
export const postgres: Part = {
  name: 'postgres',
  title: 'PostgreSQL',
  async run(bench) {
    const { options, log } = bench;
    const server = options.postgresUrl === '' ? await startPostgresServer() : null;
    const url = server?.url ?? options.postgresUrl;
    try {
      if (server !== null) {
        log(`loading ${whole(options.postgresAccounts)} accounts`);
        await makeDemo(options.postgresAccounts, url);
      }
      const rows = await measureKinds(bench, url, await readSubjects(url));
      return {
        bars: [],
        tables: [
          {
            title: `${whole(options.postgresAccounts)} accounts, cache off`,
            note: `Ratios are relative to a prepared \`SELECT 1\`, ${CONNECTIONS} at a time through a pool of the same size (${POOL}), from a separate process. PostgreSQL runs on the same machine, with its default settings but without fsync.`,
            columns: ['request', 'ratio', 'per second', 'SELECT 1', 'p50 ms', 'p99 ms'],
            rows,
          },
        ],
        plots: [],
      };
    } finally {
      await server?.stop();
    }
  },
};

async function readSubjects(url: string): Promise<Subject[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Autovacuum would do this within minutes of a load.
    await client.query('vacuum analyze');
    return (await client.query<Subject>(SUBJECTS)).rows;
  } finally {
    await client.end();
  }
}

async function measureKinds({ options, load, log }: Bench, url: string, subjects: readonly Subject[]) {
  const server = await startKith({ DATABASE_URL: url, DATABASE_POOL: String(POOL), CACHE_MB: '0' });
  const baseline = startHelper<{ ms: number }, number>(new URL('../harness/select-process.js', import.meta.url), [
    url,
    String(POOL),
  ]);
  const rows: string[][] = [];
  try {
    await baseline.run({ ms: WARM_MS });
    for (const kind of KINDS.filter(({ name }) => name.includes(options.only))) {
      const paths = pathsOf(kind, subjects, DISTINCT);
      const session = await openSession(load, server, paths);
      await session.run({ ms: WARM_MS });
      const rounds = [];
      for (let round = 0; round < options.rounds; round++) {
        const selects = await baseline.run({ ms: options.ms });
        rounds.push({ selects, ours: await session.run({ ms: options.ms }) });
      }
      await session.close();
      const ratios = rounds.map(({ selects, ours }) => ours.perSecond / selects);
      log(`${kind.name}: ${spread(ratios)}`);
      rows.push([
        kind.name,
        spread(ratios),
        whole(median(rounds.map(({ ours }) => ours.perSecond))),
        whole(median(rounds.map(({ selects }) => selects))),
        median(rounds.map(({ ours }) => ours.p50)).toFixed(2),
        median(rounds.map(({ ours }) => ours.p99)).toFixed(2),
      ]);
    }
  } finally {
    await baseline.stop();
    await server.stop();
  }
  return rows;
}
