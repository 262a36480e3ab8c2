import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { demoLogs } from '../src/demo/demo-logs.ts';
import { importFile } from '../src/import/import-file.ts';
import { parseRawLog, type RawLog } from '../src/protocol/parse-log.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { startPostgresServer } from '../test/support/postgres-server.ts';
import { indexChains, recordChains } from './ingest/chains.ts';
import { fail, loadParsed, NOW, openWorkshop, roleOf, timeLoads } from './ingest/time-loads.ts';
import { median, whole } from './numbers.ts';
import { profile } from './profile/profile.ts';

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
const workshop = await openWorkshop();
const file = join(workshop.folder, 'logs.ndjson');
const logs = () => demoLogs({ accounts: Number(values.accounts), seed: 1, now: NOW });
const total = await record(file, logs());
const openThreaded = () => workshop.openFresh(true);

const importAll = async (store: Store) => {
  await importFile('logs', file, {
    store,
    roleOf,
    stdin: process.stdin,
    now: Date.now,
    onProgress: () => undefined,
  });
};

await report(`${whole(total)} logs from a file into SQLite`, total, openThreaded, importAll);
await tellParts(total, importAll);
let parsed = Array.from(logs(), parseRawLog);
const loadAll = (store: Store) => loadParsed(store, parsed);
await report(`The same, parsed already: decode, fold and write`, total, openThreaded, loadAll);

const postgres = await startPostgresServer();
// One round: the server has one database, and it is empty once.
const openPostgres = () => openStore({ engine: 'postgres', url: postgres.url, poolSize: 2 }, { onError: fail });
await report(`${whole(total)} logs, parsed already, into PostgreSQL`, total, openPostgres, loadAll, 1);
parsed = [];
await postgres.stop();

const chains = await recordChains(logs(), Number(values['chain-logs']));
const index = (store: Store) => indexChains(store, chains.anvils);
await report(`${whole(chains.logs)} logs from three anvil nodes into SQLite`, chains.logs, openThreaded, index);
await tellParts(chains.logs, index);
await chains.stop();
await workshop.close();

/** Times the whole way, alternating with bare inserts, and prints the medians. */
async function report(
  title: string,
  logCount: number,
  open: () => Promise<Store>,
  load: (store: Store) => Promise<void>,
  rounds = Number(values.rounds),
): Promise<void> {
  const times = await timeLoads(workshop, logCount, rounds, open, load);
  const [micros, floor] = [median(times.logs), median(times.bare)];
  console.log(`\n${title}`);
  console.log(`  ${perSecond(micros)} logs a second (${times.logs.map(perSecond).join(', ')})`);
  console.log(`  ${micros.toFixed(1)} µs a log, as much as ${(micros / floor).toFixed(1)} bare inserts into SQLite`);
}

/** The same once more, all in one thread, with a profiler at work. */
async function tellParts(logCount: number, load: (store: Store) => Promise<void>) {
  const store = await workshop.openFresh(false);
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

function perSecond(micros: number): string {
  return whole(1e6 / micros);
}
