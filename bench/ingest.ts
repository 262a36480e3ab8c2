import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { demoLogs } from '../src/demo/demo-logs.ts';
import { importFile } from '../src/import/import-file.ts';
import { deployments } from '../src/protocol/deployments.ts';
import { parseRawLog, type RawLog } from '../src/protocol/parse-log.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { startPostgresServer } from '../test/support/postgres-server.ts';
import { indexChains, recordChains } from './ingest/chains.ts';
import { createScratchFolder, fail, loadParsed, NOW, timeLoads } from './ingest/time-loads.ts';
import { median, whole } from './numbers.ts';
import { profile } from './profile/profile.ts';

/**
 * Measures ingestion of logs from a recorded file and from nodes, with a CPU profile.
 * `npm run bench:ingest -- --accounts 20000 --chain-logs 100000 --rounds 3`
 */
const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '20000' },
    'chain-logs': { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
  },
});
const scratch = await createScratchFolder();
const file = join(scratch.folder, 'logs.ndjson');
const logs = () => demoLogs({ accounts: Number(values.accounts), seed: 1, now: NOW });
const total = await record(file, logs());
const openThreaded = () => scratch.openFresh(true);

const importAll = async (store: Store) => {
  await importFile('logs', file, {
    store,
    deployment: deployments.mainnet,
    stdin: process.stdin,
    now: Date.now,
    onProgress: () => undefined,
  });
};

await report(`${whole(total)} logs from a file into SQLite`, total, openThreaded, importAll);
await printProfile(total, importAll);
let parsed = Array.from(logs(), parseRawLog);
const loadAll = (store: Store) => loadParsed(store, parsed);
await report(`The same, already parsed: decode, fold and write`, total, openThreaded, loadAll);

const postgres = await startPostgresServer();
// One round: the server has one database, and loading needs an empty one.
const openPostgres = () => openStore({ engine: 'postgres', url: postgres.url, poolSize: 2 }, { onError: fail });
await report(`${whole(total)} logs, already parsed, into PostgreSQL`, total, openPostgres, loadAll, 1);
parsed = [];

const chains = await recordChains(logs(), Number(values['chain-logs']));
const index = (store: Store) => indexChains(store, chains.nodes);
await report(`${whole(chains.logs)} logs from three nodes into SQLite`, chains.logs, openThreaded, index);
await printProfile(chains.logs, index);
await chains.stop();
// Not right after its measurement: a closed pool may still be disconnecting.
await postgres.stop();
await scratch.close();

/** Times a load, alternating with bare inserts, and prints the medians. */
async function report(
  title: string,
  logCount: number,
  open: () => Promise<Store>,
  load: (store: Store) => Promise<void>,
  rounds = Number(values.rounds),
): Promise<void> {
  const times = await timeLoads(scratch, logCount, rounds, open, load);
  const [micros, floor] = [median(times.logs), median(times.bare)];
  console.log(`\n${title}`);
  console.log(`  ${perSecond(micros)} logs per second (${times.logs.map(perSecond).join(', ')})`);
  console.log(`  ${micros.toFixed(1)} µs per log, the time of ${(micros / floor).toFixed(1)} bare inserts into SQLite`);
}

/** Loads once more with a CPU profiler, in a single thread. */
async function printProfile(logCount: number, load: (store: Store) => Promise<void>) {
  const store = await scratch.openFresh(false);
  const parts = await profile(() => load(store));
  await store.close();
  console.log('  CPU time by part, in a single thread:');
  for (const [part, micros] of [...parts].sort(([, a], [, b]) => b - a))
    console.log(`    ${part.padEnd(20)} ${(micros / logCount).toFixed(1).padStart(6)} µs per log`);
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

function perSecond(micros: number): string {
  return whole(1e6 / micros);
}
