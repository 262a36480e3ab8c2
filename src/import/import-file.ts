import type { Readable } from 'node:stream';
import { gather, overlap } from '../async/batches.ts';
import { parseBadge, writeBadges } from '../badges/badge.ts';
import { decodeLogs } from '../ingest/ingest-logs.ts';
import { createLogLoader, loadAtOnce } from '../ingest/load-logs.ts';
import { parseProfile } from '../names/profile.ts';
import { writeProfiles } from '../names/write-profiles.ts';
import { BadInputError } from '../protocol/bad-input.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import { parseRawLog } from '../protocol/parse-log.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Line, readLines } from './read-lines.ts';

export const IMPORT_KINDS = ['logs', 'profiles', 'badges'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export interface ImportOptions {
  readonly store: Store;
  readonly roleOf: RoleOf;
  readonly stdin: Readable;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly onProgress: (lines: number, fraction: number | undefined) => void;
}

export interface Imported {
  readonly lines: number;
  /** Lines that told something new. */
  readonly changed: number;
  /** What was passed over, by why. */
  readonly ignored: ReadonlyMap<string, number>;
}

/** Enough lines to share reads and writes, few enough to be forgotten while they are young. */
export const BATCH = 2_000;

/** Takes one file in, all of it or, when any line is bad, nothing. */
export async function importFile(kind: ImportKind, file: string, options: ImportOptions): Promise<Imported> {
  const reader = await readLines(file, options.stdin);
  const importAll = async (tx: Transaction) => {
    const importer = createImporter(kind, tx, options);
    let lines = 0;
    let changed = 0;
    const ignored = new Map<string, number>();
    await overlap(parseBatches(importer, gather(reader.lines, BATCH), file), async (batch) => {
      const result = await writeBatch(importer, batch, file);
      lines += batch.lines;
      changed += result.changed;
      for (const [reason, count] of result.ignored) ignored.set(reason, (ignored.get(reason) ?? 0) + count);
      options.onProgress(lines, reader.fraction());
    });
    await importer.finish();
    return { lines, changed, ignored };
  };
  return options.store.transaction((tx) => (kind === 'logs' ? loadAtOnce(tx, () => importAll(tx)) : importAll(tx)));
}

interface Importer<T extends object, P> {
  parse(json: unknown): T;
  /** What can be done with a batch before its turn comes. */
  prepare(values: T[]): P;
  write(batch: P): Promise<Omit<Imported, 'lines'>>;
  finish(): Promise<void>;
}

function createImporter(kind: ImportKind, tx: Transaction, { roleOf, now }: ImportOptions): Importer<object, unknown> {
  const loader = createLogLoader({ now });
  const nothing = { ignored: new Map<string, number>() };
  const importer = <T extends object, P>(given: Importer<T, P>): Importer<object, unknown> =>
    // Safe: its functions are only given what the ones before them returned.
    given as unknown as Importer<object, unknown>;
  switch (kind) {
    case 'logs':
      return importer({
        parse: parseRawLog,
        prepare: (logs) => decodeLogs(roleOf, logs),
        write: async (logs) => {
          const { added, ignored } = await loader.load(tx, logs);
          return { changed: added, ignored };
        },
        finish: () => loader.finish(tx),
      });
    case 'profiles':
      return importer({
        parse: parseProfile,
        prepare: (values) => values,
        write: async (profiles) => ({ changed: await writeProfiles(tx, profiles), ...nothing }),
        finish: async () => undefined,
      });
    case 'badges':
      return importer({
        parse: (json) => parseBadge(json, now()),
        prepare: (values) => values,
        write: async (badges) => ({ changed: await writeBadges(tx, badges), ...nothing }),
        finish: async () => undefined,
      });
  }
}

interface Batch {
  readonly lines: number;
  /** The line that each thing was read from. */
  readonly lineOf: ReadonlyMap<object, Line>;
  readonly prepared: unknown;
}

async function* parseBatches(
  importer: Importer<object, unknown>,
  batches: AsyncIterable<Line[]>,
  file: string,
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    const lineOf = new Map<object, Line>();
    for (const line of batch) {
      try {
        lineOf.set(importer.parse(JSON.parse(line.text)), line);
      } catch (error) {
        throw atLine(file, line, error);
      }
    }
    yield { lines: batch.length, lineOf, prepared: importer.prepare([...lineOf.keys()]) };
  }
}

async function writeBatch(importer: Importer<object, unknown>, { lineOf, prepared }: Batch, file: string) {
  try {
    return await importer.write(prepared);
  } catch (error) {
    const line = error instanceof BadInputError && error.culprit !== undefined ? lineOf.get(error.culprit) : undefined;
    throw line === undefined ? error : atLine(file, line, error);
  }
}

function atLine(file: string, line: Line, error: unknown): unknown {
  const place = `${file === '-' ? 'standard input' : file}, line ${line.number}`;
  if (error instanceof BadInputError) return new BadInputError(`${place}: ${error.message}`);
  return error instanceof SyntaxError ? new BadInputError(`${place}: not JSON: ${error.message}`) : error;
}
