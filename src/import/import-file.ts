import type { Readable } from 'node:stream';
import { gather, overlap } from '../async/batches.ts';
import type { UnixMs } from '../async/unix-time.ts';
import { parseBadge, writeBadges } from '../badges/badge.ts';
import { BadInputError } from '../errors/bad-input.ts';
import { decodeLogs } from '../ingest/ingest-logs.ts';
import { loadAtOnce } from '../ingest/load-logs.ts';
import { parseProfile } from '../names/profile.ts';
import { writeProfiles } from '../names/write-profiles.ts';
import { createRoleOf, type Deployment } from '../protocol/deployments.ts';
import { parseRawLog } from '../protocol/parse-log.ts';
import { markLoaded, requireNoDemo } from '../store/marks.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Line, type LineReader, nameOf, readLines } from './read-lines.ts';
import { isHeader, parseHeader, requireContent, type SnapshotHeader } from './snapshot-header.ts';

export const IMPORT_KINDS = ['logs', 'profiles', 'badges'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export interface ImportOptions {
  readonly deployment: Deployment;
  readonly stdin: Readable;
  readonly now: () => UnixMs;
  /** What errors call the file, if not by its path. */
  readonly name?: string | undefined;
  /** `fraction` is the share of the input that was read; undefined when its size is unknown. */
  readonly onProgress: (lines: number, fraction: number | undefined) => void;
}

export interface Imported {
  readonly lines: number;
  /** Lines that changed the database. */
  readonly changed: number;
  /** Number of ignored logs by reason. */
  readonly ignored: ReadonlyMap<string, number>;
}

/** Lines per batch: enough to share reads and writes, few enough to be collected as young objects. */
export const BATCH = 500;

/** Imports one file in one transaction: a bad line rolls back the whole file. */
export async function importFile(
  kind: ImportKind,
  file: string,
  options: ImportOptions & { readonly store: Store },
): Promise<Imported> {
  const { store, now } = options;
  // Before the transaction: a file that cannot be opened should not wait for the write lock.
  const input = await (kind === 'logs' ? openLogs : openInput)(file, options);
  return store.transaction(async (tx) => {
    switch (kind) {
      case 'logs':
        return importLogs(tx, input, options);
      case 'profiles':
        return importLines(input, {
          parse: parseProfile,
          prepare: (profiles) => profiles,
          write: async (profiles) => ({ changed: await writeProfiles(tx, profiles), ignored: NONE }),
        });
      case 'badges':
        return importLines(input, {
          parse: (json) => parseBadge(json, now()),
          prepare: (badges) => badges,
          write: async (badges) => ({ changed: await writeBadges(tx, badges), ignored: NONE }),
        });
    }
  });
}

async function openInput(file: string, { stdin, name = nameOf(file), onProgress }: ImportOptions): Promise<Input> {
  return { name, ...(await readLines(file, stdin, name)), header: null, onProgress };
}

/** Opens a file of logs and reads its header, if there is one. */
export async function openLogs(file: string, options: ImportOptions): Promise<Input> {
  const input = await openInput(file, options);
  let start: Line[] = [];
  while (start.length === 0) {
    const next = await input.lines.next();
    if (next.done) break;
    start = next.value;
  }
  const [first] = start;
  const header = first !== undefined && isHeader(first.text) ? first : null;
  async function* lines() {
    yield header === null ? start : start.slice(1);
    yield* input.lines;
  }
  return {
    ...input,
    lines: lines(),
    header: header === null ? null : parseLine(input.name, header, (json) => parseHeader(json, options.deployment)),
  };
}

/** Imports logs in the caller's transaction. With a header, all that it says must be true. */
export async function importLogs(
  tx: Transaction,
  input: Input,
  { deployment, now }: Pick<ImportOptions, 'deployment' | 'now'>,
): Promise<Imported> {
  const roleOf = createRoleOf(deployment);
  await requireNoDemo(tx);
  return loadAtOnce(tx, { now }, async (loader) => {
    const imported = await importLines(input, {
      parse: parseRawLog,
      prepare: (logs) => decodeLogs(roleOf, logs),
      async write(logs) {
        const { added, ignored } = await loader.load(tx, logs);
        return { changed: added, ignored };
      },
    });
    if (input.header !== null)
      requireContent(input.name, input.header, { logs: imported.lines, sha256: input.sha256() });
    await loader.finish(tx);
    if (imported.changed > 0) await markLoaded(tx);
    return imported;
  });
}

const NONE: ReadonlyMap<string, number> = new Map();

export interface Input extends LineReader, Pick<ImportOptions, 'onProgress'> {
  readonly name: string;
  /** Of a snapshot. */
  readonly header: SnapshotHeader | null;
}

interface Importer<T extends object, P> {
  parse(json: unknown): T;
  /** The part of the work on a batch that runs while the previous batch is written. */
  prepare(values: T[]): P;
  write(batch: P): Promise<Omit<Imported, 'lines'>>;
}

async function importLines<T extends object, P>(
  { name, lines: source, fraction, onProgress }: Input,
  importer: Importer<T, P>,
): Promise<Imported> {
  let lines = 0;
  let changed = 0;
  const ignored = new Map<string, number>();
  await overlap(parseBatches(importer, gather(source, BATCH), name), async (batch) => {
    const result = await writeBatch(importer, batch, name);
    lines += batch.lines;
    changed += result.changed;
    for (const [reason, count] of result.ignored) ignored.set(reason, (ignored.get(reason) ?? 0) + count);
    onProgress(lines, fraction());
  });
  return { lines, changed, ignored };
}

interface Batch<P> {
  readonly lines: number;
  /** The line that each value was parsed from. */
  readonly lineOf: ReadonlyMap<object, Line>;
  readonly prepared: P;
}

async function* parseBatches<T extends object, P>(
  importer: Importer<T, P>,
  batches: AsyncIterable<Line[]>,
  name: string,
): AsyncGenerator<Batch<P>> {
  for await (const batch of batches) {
    const lineOf = new Map<T, Line>();
    for (const line of batch) lineOf.set(parseLine(name, line, importer.parse), line);
    yield { lines: batch.length, lineOf, prepared: importer.prepare([...lineOf.keys()]) };
  }
}

async function writeBatch<T extends object, P>(
  importer: Importer<T, P>,
  { lineOf, prepared }: Batch<P>,
  name: string,
): Promise<Omit<Imported, 'lines'>> {
  try {
    return await importer.write(prepared);
  } catch (error) {
    const line = error instanceof BadInputError && error.culprit !== undefined ? lineOf.get(error.culprit) : undefined;
    throw line === undefined ? error : atLine(name, line, error);
  }
}

function parseLine<T>(name: string, line: Line, parse: (json: unknown) => T): T {
  try {
    return parse(JSON.parse(line.text));
  } catch (error) {
    throw atLine(name, line, error);
  }
}

/** Adds file and line to errors of bad input. */
function atLine(name: string, line: Line, error: unknown): unknown {
  const location = `${name}, line ${line.number}`;
  if (error instanceof BadInputError) return new BadInputError(`${location}: ${error.message}`);
  return error instanceof SyntaxError ? new BadInputError(`${location}: not JSON: ${error.message}`) : error;
}
