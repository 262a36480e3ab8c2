import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import { openStore } from '../../src/store/open-store.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { DATA } from '../harness/data-sets.ts';
import { cpuSeconds, peakMegabytes } from '../harness/process-stats.ts';
import { type Server, startKith } from '../harness/processes.ts';
import { API } from '../harness/requests.ts';
import { whole } from '../numbers.ts';
import type { Bench } from '../parts/part.ts';
import { CLONE } from '../paths.ts';
import { type AdvisedBar, below, type Findings } from '../report/findings.ts';
import { LARGE, largeAccountSql } from './fill-large-account.ts';

const USER = `${API}/users/${LARGE}`;
const EXPORTS = [
  ['followers, CSV', `${USER}/followers?format=csv`],
  ['followers, NDJSON', `${USER}/followers?format=ndjson`],
  ['followers by followers, CSV', `${USER}/followers?format=csv&sort=followers`],
  ['following, CSV', `${USER}/following?format=csv`],
  ['notifications, CSV', `${USER}/notifications?format=csv&interval=all`],
  ['activity, CSV', `${USER}/activity?format=csv&interval=all`],
  ['leaderboard, CSV', `${API}/leaderboard/ranked?format=csv`],
] as const;
const BAR_MS = 10_000;
const ADVICE =
  'Profile `kith serve` during the export with `node --cpu-prof`: a chunk of rows is converted in `tables.ts`.';
/** Between two small requests during an export. */
const PROBE_MS = 20;

/** All rows of an account with a million followers, on both engines. */
export async function measureExports({ options, log }: Bench): Promise<Findings> {
  const bars: AdvisedBar[] = [];
  const rows: string[][] = [];
  for (const engine of ['sqlite', 'postgres'] as const) {
    const database = await (engine === 'sqlite' ? fillFile(options.large) : fillServer(options.large));
    const env = { DATABASE_URL: database.url, CACHE_MB: '0' };
    try {
      for (const [name, path] of EXPORTS) {
        const server = await startKith(CLONE, env);
        try {
          const { cpuMs, firstMs, allMs, bytes, lines, slowestMs, megabytes } = await measureExport(server, path);
          if (lines < options.large) throw new Error(`${path}: ${lines} lines`);
          const cells = [firstMs / 1000, allMs / 1000, cpuMs / 1000].map((seconds) => `${seconds.toFixed(1)} s`);
          rows.push([`${engine}: ${name}`, ...cells, whole(bytes / 1e6), whole(megabytes), slowestMs.toFixed(0)]);
          log(rows.at(-1)?.join(' | ') ?? '');
          if (path === EXPORTS[0][1])
            bars.push({
              ...below(`CPU of ${whole(options.large)} followers as CSV, ${engine}`, BAR_MS, cpuMs),
              advice: ADVICE,
            });
        } finally {
          await server.stop();
        }
      }
    } finally {
      await database.stop();
    }
  }
  return {
    bars,
    tables: [
      {
        title: `All rows of an account with ${whole(options.large)} followers`,
        note: 'A tenth of the edges have a tag. CPU is that of the serving process with its threads, and memory its peak. Probes are small requests that are sent meanwhile.',
        columns: ['export', 'first byte', 'last byte', 'CPU', 'MB', 'memory, MB', 'slowest probe, ms'],
        rows,
      },
    ],
  };
}

async function measureExport(server: Server, path: string) {
  const base = `http://127.0.0.1:${server.port}`;
  // Waits for the members that are searched, which a server reads when it starts.
  await (await fetch(`${base}${API}/leaderboard/search?term=a&limit=1`)).text();
  const before = cpuSeconds(server.pid);
  const began = performance.now();
  let isRunning = true;
  const probes = probe(`${base}${USER}/followers?limit=2`, () => isRunning);
  const response = await fetch(`${base}${path}`, { headers: { 'accept-encoding': 'identity' } });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const firstMs = performance.now() - began;
  let [bytes, lines] = [0, 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  const allMs = performance.now() - began;
  const cpuMs = (cpuSeconds(server.pid) - before) * 1000;
  isRunning = false;
  const slowestMs = await probes;
  return { cpuMs, firstMs, allMs, bytes, lines, slowestMs, megabytes: peakMegabytes(server.pid) };
}

/** The longest time of an answer. */
async function probe(url: string, isRunning: () => boolean): Promise<number> {
  let slowest = 0;
  while (isRunning()) {
    const began = performance.now();
    await (await fetch(url)).text();
    slowest = Math.max(slowest, performance.now() - began);
    await setTimeout(PROBE_MS);
  }
  return slowest;
}

async function migrate(location: Parameters<typeof openStore>[0]): Promise<void> {
  const onError = (error: Error) => {
    throw error;
  };
  await (await openStore(location, { onError })).close();
}

async function fillFile(count: number) {
  const path = `${DATA}export-${process.pid}.db`;
  await migrate({ engine: 'sqlite', path });
  const db = new Database(path);
  for (const statement of largeAccountSql('sqlite', count)) db.exec(statement);
  db.close();
  const stop = async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  };
  return { url: `sqlite:${path}`, stop };
}

async function fillServer(count: number) {
  const server = await startPostgresServer();
  await migrate({ engine: 'postgres', url: server.url, poolSize: 2 });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of largeAccountSql('postgres', count)) await client.query(statement);
  await client.query('vacuum analyze');
  await client.end();
  return { url: server.url, stop: () => server.stop() };
}
