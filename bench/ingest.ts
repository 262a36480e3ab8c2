import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { batches, overlap } from '../src/batches.ts';
import { demoLogs } from '../src/demo/demo-logs.ts';
import { BATCH, importFile } from '../src/ingest/import-file.ts';
import { decodeLogs } from '../src/ingest/ingest-logs.ts';
import { createLogLoader, loadAtOnce } from '../src/ingest/load-logs.ts';
import { parseRawLog, type RawLog } from '../src/ingest/raw-log.ts';
import { createRoleOf, deployments } from '../src/protocol/deployments.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { startPostgresServer } from '../test/support/postgres-server.ts';
import { measureBareInserts } from './bare.ts';
import { indexChains, recordChains } from './chains.ts';
import { profile } from './profile.ts';

/**
 * How fast logs are taken in, from a recorded file and from nodes, and where the time goes.
 * `npm run bench:ingest -- --accounts 20000 --chain-logs 100000 --rounds 3`
 */
const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '20000' },
    'chain-logs': { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
  },
});
const NOW = 1_790_000_000;
const rounds = Number(values.rounds);
const folder = await mkdtemp(join(tmpdir(), 'kith-bench-'));
const file = join(folder, 'logs.ndjson');
const logs = () => demoLogs({ accounts: Number(values.accounts), seed: 1, now: NOW });
const total = await record(file, logs());
const count = total.toLocaleString('en-GB');
const roleOf = createRoleOf(deployments.mainnet);
let databases = 0;

const importAll = async (store: Store) => {
  await importFile('logs', file, {
    store,
    roleOf,
    stdin: process.stdin,
    now: Date.now,
    onProgress: () => undefined,
  });
};
async function* decodeAll() {
  for await (const batch of batches(parsed, BATCH)) yield decodeLogs(roleOf, batch);
}
/** The same without reading and parsing: decode, fold and write. */
const loadParsed = async (store: Store) => {
  const loader = createLogLoader();
  await store.transaction((tx) =>
    loadAtOnce(tx, async () => {
      await overlap(decodeAll(), async (batch) => void (await loader.load(tx, batch)));
      await loader.finish(tx);
    }),
  );
};
const freshSqlite = (threads: boolean) => () =>
  openStore({ engine: 'sqlite', path: join(folder, `${databases++}.db`) }, { threads, onError: fail });

await report(`${count} logs from a file into SQLite`, total, freshSqlite(true), importAll);
await tellParts(total, freshSqlite(false), importAll);
let parsed = Array.from(logs(), parseRawLog);
await report(`The same, parsed already: decode, fold and write`, total, freshSqlite(true), loadParsed);

const postgres = await startPostgresServer();
// One round: the server has one database, and it is empty once.
const freshPostgres = () => openStore({ engine: 'postgres', url: postgres.url, poolSize: 2 }, { onError: fail });
await report(`${count} logs, parsed already, into PostgreSQL`, total, freshPostgres, loadParsed, 1);
parsed = [];
await postgres.stop();

const chains = await recordChains(logs(), Number(values['chain-logs']));
const index = (store: Store) => indexChains(store, chains.anvils);
await report(
  `${chains.logs.toLocaleString('en-GB')} logs from three anvil nodes into SQLite`,
  chains.logs,
  freshSqlite(true),
  index,
);
await tellParts(chains.logs, freshSqlite(false), index);
await chains.stop();
await rm(folder, { recursive: true });

/** Times the whole way, alternating with bare inserts, and prints the medians. */
async function report(
  title: string,
  logCount: number,
  open: () => Promise<Store>,
  load: (store: Store) => Promise<void>,
  times = rounds,
): Promise<void> {
  const took: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < times; round++) {
    bare.push(measureBareInserts(join(folder, 'bare.db')));
    const store = await open();
    const began = performance.now();
    await load(store);
    took.push(((performance.now() - began) * 1000) / logCount);
    await store.close();
  }
  const [micros, floor] = [median(took), median(bare)];
  console.log(`\n${title}`);
  console.log(`  ${perSecond(micros)} logs a second (${took.map(perSecond).join(', ')})`);
  console.log(`  ${micros.toFixed(1)} µs a log, as much as ${(micros / floor).toFixed(1)} bare inserts into SQLite`);
}

/** The same once more, all in one thread, with a profiler at work. */
async function tellParts(logCount: number, open: () => Promise<Store>, load: (store: Store) => Promise<void>) {
  const store = await open();
  const parts = await profile(() => load(store));
  await store.close();
  console.log('  where the time goes, in one thread:');
  for (const [part, micros] of [...parts].sort(([, a], [, b]) => b - a))
    console.log(`    ${part.padEnd(20)} ${(micros / logCount).toFixed(1).padStart(6)} µs a log`);
}

async function record(path: string, source: Iterable<RawLog>): Promise<number> {
  const out = createWriteStream(path);
  let count = 0;
  for (const log of source) {
    count += 1;
    if (!out.write(`${JSON.stringify(log)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return count;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function perSecond(micros: number): string {
  return Math.round(1e6 / micros).toLocaleString('en-GB');
}

function fail(error: Error): never {
  throw error;
}
