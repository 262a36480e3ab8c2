import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { refreshProfiles } from '../src/names/background/refresh-profiles.ts';
import { namelessRow } from '../src/names/profile.ts';
import type { FetchedProfile } from '../src/names/profile-source.ts';
import type { Address } from '../src/protocol/hex.ts';
import { openStore } from '../src/store/open-store.ts';
import { SOURCES, type Source, type Versions, versionKey } from '../src/store/versions.ts';

/**
 * Measures which cached answers a steady refresh of profiles leaves: each member is fetched once a day, in simulated time,
 * from a source that returns the stored profiles, one in a hundred with another avatar. A request for an answer that was
 * computed before is a hit if no version of its sources has changed since.
 * `node bench/hits.ts --database data/bench/100000.db --minutes 10 --requests 100`
 */
const { values } = parseArgs({
  options: {
    /** A demo graph, whose profiles are written. */
    database: { type: 'string', default: 'data/bench/100000.db' },
    minutes: { type: 'string', default: '10' },
    /** Per second, over all answers. */
    requests: { type: 'string', default: '100' },
  },
});

const ANSWERS: readonly (readonly [name: string, sources: readonly Source[]])[] = [
  ['followers, following, tags, states', ['graph']],
  ['followers by popularity', ['graph', 'ranks']],
  ['notifications', ['graph', 'names']],
  ['leaderboard', ['ranks', 'names']],
  ['badges', ['graph', 'badges']],
  ['details', ['graph', 'profiles', 'ranks']],
  ['followers with include=ens', ['graph', 'profiles']],
  ['one version for all', SOURCES],
];
/** Requests of each kind are for this many URLs, the nth with weight 1 / n. */
const URLS = 200;
const DAY_MS = 86_400_000;

const store = await openStore({ engine: 'sqlite', path: values.database }, { onError: fail, mustExist: true });
const started = Date.now();
prepare(values.database);
const end = 60_000 * Number(values.minutes);
const tallies = ANSWERS.map(() => ({ equal: 0, hits: 0, seen: new Map<number, string>() }));
const raised = new Map<Source, number>();
let clock = 0;
let owed = 0;
let last = current();

try {
  await refreshProfiles({
    reader: store.reader,
    write: store.transaction,
    source: { fetchProfile: fetchStored, fetchHolder: async () => null },
    gateways: { ipfs: 'https://ipfs.example', arweave: 'https://ar.example', network: 'mainnet' },
    maxAgeMs: DAY_MS,
    requestsPerSecond: 20,
    now: () => started + clock,
    // Safe: it only grows.
    monotonic: () => clock as never,
    sleep,
    ending: new AbortController().signal,
    onOutcome: () => undefined,
    logger: console,
  });
} catch (error) {
  if (error !== end) throw error;
}
await store.close();

console.log(`${values.minutes} minutes, a request every ${1000 / Number(values.requests)} ms`);
for (const source of SOURCES) console.log(`${source}: raised ${raised.get(source) ?? 0} times`);
ANSWERS.forEach(([name], i) => {
  const { equal, hits } = tallies[i] ?? fail(new Error('no tally'));
  console.log(`${name}: ${(hits / equal).toFixed(3)} of ${equal} equal requests are hits`);
});

async function fetchStored(account: Address): Promise<FetchedProfile> {
  const [row] = await store.transaction((tx) => tx.readBy('profiles', 'address', [account]));
  const fresh = started + clock;
  if (row === undefined) return { name: '', display: '', resolver: '', records: {}, chains: {}, errors: {}, fresh };
  const { name, display, resolver, records, chains } = JSON.parse(row.ens);
  const isChanged = Math.random() < 0.01;
  const images = { avatar: isChanged ? `https://a.example/${clock}` : row.avatar, header: row.header };
  return { name, display, resolver, records: { ...records, ...images }, chains, errors: {}, fresh };
}

/** Every member has a profile, fetched within the last day, with images as a source has them. */
function prepare(path: string): void {
  const db = new Database(path);
  for (const image of ['avatar', 'header'])
    db.exec(`update profiles set ${image} = 'https://demo.example' || ${image} where ${image} like '/%'`);
  const { ens } = namelessRow('0x0000000000000000000000000000000000000000', 0);
  db.prepare(
    `insert into profiles select address, '', '', '', '', 0, ? from leaderboard join accounts on id = account
      where address not in (select address from profiles)`,
  ).run(ens);
  db.prepare(`update profiles set fresh = ? - abs(random() % ${DAY_MS})`).run(started);
  db.close();
}

/** Sends the requests of the time that passes. */
async function sleep(ms: number): Promise<void> {
  clock += ms;
  const versions = current();
  for (const source of SOURCES) {
    if (versions[source] !== last[source]) raised.set(source, (raised.get(source) ?? 0) + 1);
  }
  last = versions;
  for (owed += (ms * Number(values.requests)) / 1000; owed >= 1; owed -= 1) {
    const kind = Math.floor(Math.random() * ANSWERS.length);
    const { seen, ...tally } = tallies[kind] ?? fail(new Error('no tally'));
    const asked = Math.floor(URLS ** Math.random());
    const key = versionKey(versions, ANSWERS[kind]?.[1] ?? []);
    const known = seen.get(asked);
    if (known !== undefined) tally.equal += 1;
    if (known === key) tally.hits += 1;
    Object.assign(tallies[kind] ?? {}, tally);
    seen.set(asked, key);
  }
  if (clock >= end) throw end;
}

function current(): Versions {
  return store.version.current() ?? fail(new Error('the versions are unknown'));
}

function fail(error: Error): never {
  throw error;
}
