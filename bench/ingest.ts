import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { gather, overlap } from '../src/batches.ts';
import { readConfig } from '../src/config.ts';
import { demoLogs } from '../src/demo/demo-logs.ts';
import { createLogLoader, loadAtOnce } from '../src/ingest/load-logs.ts';
import { parseRawLog } from '../src/ingest/raw-log.ts';
import { readLines } from '../src/ingest/read-lines.ts';
import { createRoleOf, deployments } from '../src/protocol/deployments.ts';
import { makeRanks } from '../src/ranks/make-ranks.ts';
import { openStore } from '../src/store/open-store.ts';

/**
 * How fast a recorded file of logs is taken in, and where the time goes.
 * `npm run bench:ingest -- --accounts 20000`, with DATABASE_URL for PostgreSQL.
 */
const { values } = parseArgs({ options: { accounts: { type: 'string', default: '20000' } } });
const BATCH = 2_000;
const NOW = 1_790_000_000;

const folder = await mkdtemp(join(tmpdir(), 'kith-bench-'));
const file = join(folder, 'logs.ndjson');
const total = await record(file, Number(values.accounts));
const { DATABASE_URL: url = `sqlite:${join(folder, 'kith.db')}` } = process.env;
const store = await openStore(readConfig({ DATABASE_URL: url }).database, {
  threads: process.env.THREADS !== '0',
  onError: (error) => {
    throw error;
  },
});

const spent = { 'read and parse': 0, 'decode and store': 0, 'fold and write': 0, commit: 0, ranks: 0 };
const time = async <T>(part: keyof typeof spent, work: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  try {
    return await work();
  } finally {
    spent[part] += performance.now() - began;
  }
};

const loader = createLogLoader(createRoleOf(deployments.mainnet));
const lines = gather((await readLines(file, process.stdin)).lines, BATCH);
let folded = 0;
await time('commit', () =>
  store.transaction((tx) =>
    loadAtOnce(tx, async () => {
      await time('decode and store', () =>
        overlap(readBatches(), async (logs) => {
          await loader.load(tx, logs);
        }),
      );
      await time('fold and write', () => loader.finish(tx));
      folded = spent['decode and store'] + spent['fold and write'];
    }),
  ),
);
spent.commit -= folded;
await time('ranks', () => store.transaction((tx) => makeRanks(tx, NOW * 1000)));
await store.close();

const bare = bareInserts(join(folder, 'bare.db'), total);
console.log(`${total.toLocaleString('en-GB')} logs into ${store.engine}`);
for (const [part, ms] of Object.entries(spent))
  console.log(`  ${part.padEnd(18)} ${((ms * 1000) / total).toFixed(1)} µs a log`);
const ours = spent['decode and store'] + spent['fold and write'] + spent.commit;
console.log(`decode, fold and write: ${Math.round(total / (ours / 1000)).toLocaleString('en-GB')} logs a second`);
console.log(`  of bare inserts of one small row each (SQLite): ${(bare / ours).toFixed(3)}`);
await rm(folder, { recursive: true });

async function* readBatches() {
  for await (const batch of lines) {
    const b = performance.now();
    const logs = batch.map(({ text }) => parseRawLog(JSON.parse(text)));
    spent['read and parse'] += performance.now() - b;
    yield logs;
  }
}

async function record(path: string, accounts: number): Promise<number> {
  const out = createWriteStream(path);
  let count = 0;
  for (const log of demoLogs({ accounts, seed: 1, now: NOW })) {
    count += 1;
    if (!out.write(`${JSON.stringify(log)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return count;
}

/** Milliseconds that the same number of rows take when nothing is done with them: the measure of this machine. */
function bareInserts(path: string, rows: number): number {
  const db = new Database(path);
  db.exec('pragma journal_mode = WAL; create table bare (a integer primary key, b text, c text)');
  const insert = db.prepare('insert into bare values (?, ?, ?)');
  const began = performance.now();
  db.exec('begin');
  for (let i = 0; i < rows; i++) insert.run(i, 'a text of some forty characters or so, no', '0x0101');
  db.exec('commit');
  const took = performance.now() - began;
  db.close();
  return took;
}
