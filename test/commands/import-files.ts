import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { demoBadges } from '../../src/demo/demo-badges.ts';
import { demoProfiles } from '../../src/demo/demo-profiles.ts';
import type { ImportKind } from '../../src/import/import-file.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { createRandom } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import type { TestDatabase } from '../support/engines.ts';
import { newPath } from '../support/new-path.ts';
import { runKith } from './run-here.ts';
import { type Outcome, spawnKith } from './run-kith.ts';

const invented = { accounts: 60, seed: 5, now: 1_790_000_000 };

/** A seed with many follows in few logs. */
export const LOGS: readonly RawLog[] = randomHistory(26, { logs: 100 });
export const PROFILES = [...demoProfiles(invented)];
export const BADGES = [...demoBadges(invented)];
export const RECORDS: Readonly<Record<ImportKind, readonly object[]>> = {
  logs: LOGS,
  profiles: PROFILES,
  badges: BADGES,
};

/** One JSON object per line. */
export const linesOf = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Writes a temporary file, removed after the test, and returns its path. */
export async function writeTemporary(name: string, content: string | Uint8Array): Promise<string> {
  const path = await newPath(name);
  await writeFile(path, content);
  return path;
}

export const WAYS_IN = [
  'a plain file',
  'a gzip file',
  'a gzip file with a name that does not say so',
  'standard input',
  'gzip on standard input',
  'a pipe',
] as const;

/** Imports records in one of the ways. */
export async function importBy(
  way: (typeof WAYS_IN)[number],
  database: TestDatabase,
  kind: ImportKind,
  records: readonly object[],
): Promise<Outcome> {
  const text = linesOf(records);
  switch (way) {
    case 'a plain file':
      return importFiles(database, kind, await writeTemporary('records.ndjson', text));
    case 'a gzip file':
      return importFiles(database, kind, await writeTemporary('records.ndjson.gz', gzipSync(text)));
    case 'a gzip file with a name that does not say so':
      return importFiles(database, kind, await writeTemporary('records.ndjson', gzipSync(text)));
    case 'standard input':
      return importInput(database, kind, text);
    case 'gzip on standard input':
      return importInput(database, kind, gzipSync(text));
    case 'a pipe':
      return spawnKith(['import', kind, '-'], { env: { DATABASE_URL: database.url }, stdin: text });
  }
}

export function importFiles(database: TestDatabase, kind: ImportKind, ...files: string[]): Promise<Outcome> {
  return runKith(['import', kind, ...files], { env: { DATABASE_URL: database.url } });
}

export function importInput(database: TestDatabase, kind: ImportKind, stdin: string | Uint8Array): Promise<Outcome> {
  return runKith(['import', kind, '-'], { env: { DATABASE_URL: database.url }, stdin });
}

/** What `kith status` prints. */
export async function statusOf(database: TestDatabase) {
  const { stdout } = await runKith(['status'], { env: { DATABASE_URL: database.url } });
  return JSON.parse(stdout) as { dataVersion: number; counts: Record<string, number>; ranksMadeAt: string | null };
}

/** Shuffles items by a seed. */
export function shuffled<T>(seed: number, items: readonly T[]): T[] {
  const random = createRandom(seed);
  const left = [...items];
  return items.flatMap(() => left.splice(random.int(left.length), 1));
}
