import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { Profiler } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Server, startKith } from '../harness/processes.ts';
import { sum } from '../numbers.ts';
import { type PartOf, sumProfile } from './sum-profile.ts';

const NODE = 'node:http and node:net';
const SQLITE = 'SQLite';
const GARBAGE = 'garbage collection';
const HTTP = 'src/http';
const LOOKUP = 'src/lookup';
const OTHER = 'other';
const IDLE = 'idle';

/** Categories of self time in a serving process. */
export const SERVER_PARTS = [NODE, SQLITE, GARBAGE, HTTP, LOOKUP, OTHER] as const;

const URLS: readonly [part: string, pattern: RegExp][] = [
  [NODE, /^node:/],
  // Native functions have no frames, so SQLite's time is that of the functions that call it.
  [SQLITE, /\/better-sqlite3\/|\/dist\/store\/sqlite\//],
  [HTTP, /\/dist\/http\//],
  [LOOKUP, /\/dist\/(?:lookup|store|contract|protocol)\//],
];
const partOf: PartOf = ({ functionName, url }, outer) => {
  if (functionName === '(idle)') return IDLE;
  if (functionName === '(garbage collector)') return GARBAGE;
  // Outside of JavaScript: the event loop, and HTTP parsing.
  if (functionName === '(program)') return NODE;
  if (url === '') return outer;
  return URLS.find(([, pattern]) => pattern.test(url))?.[0] ?? OTHER;
};

/** Runs `work` against a server and returns each category's share of its busy time. */
export async function profileServer(
  env: Readonly<Record<string, string>>,
  work: (server: Server) => Promise<unknown>,
): Promise<Map<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-profile-'));
  try {
    const server = await startKith(env, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
    // The profiler uses the machine's monotonic clock, in microseconds.
    const began = Number(process.hrtime.bigint() / 1000n);
    try {
      await work(server);
    } finally {
      await server.stop();
    }
    // One file per thread; that of the main thread is named `CPU.date.time.pid.0.n`.
    const name = (await readdir(folder)).find((file) => /\.\d+\.0\.\d+\.cpuprofile$/.test(file));
    if (name === undefined) throw new Error('the server wrote no profile');
    // Safe: Node wrote it.
    const profile = JSON.parse(await readFile(join(folder, name), 'utf8')) as Profiler.Profile;
    const micros = sumProfile(profile, partOf, OTHER, began);
    micros.delete(IDLE);
    const total = sum([...micros.values()]);
    return new Map([...micros].map(([part, value]) => [part, value / total]));
  } finally {
    await rm(folder, { recursive: true });
  }
}
