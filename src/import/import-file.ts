import type { Readable } from 'node:stream';
import { gather, overlap } from '../async/batches.ts';
import type { UnixMs } from '../async/unix-time.ts';
import { parseBadge, writeBadges } from '../badges/badge.ts';
import { BadInputError } from '../errors/bad-input.ts';
import { decodeLogs } from '../ingest/ingest-logs.ts';
import { loadAtOnce } from '../ingest/load-logs.ts';
import { parseProfile } from '../names/profile.ts';
import { writeProfiles } from '../names/write-profiles.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import { createRoleOf, type Deployment } from '../protocol/deployments.ts';
import { parseRawLog } from '../protocol/parse-log.ts';
import { markLoaded, requireNoDemo } from '../store/state.ts';
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
  const write = async (tx: Transaction) => {
    await requireNoDemo(tx);
    switch (kind) {
      case 'logs':
        return importLogs(tx, input, options);
      case 'profiles':
        return importRows(input, parseProfile, (profiles) => writeProfiles(tx, profiles));
      case 'badges':
        return importRows(
          input,
          (json) => parseBadge(json, now()),
          (badges) => writeBadges(tx, badges),
        );
    }
  };
  return store.transaction(write, { once: true });
}

async function openInput(file: string, { stdin, name = nameOf(file), onProgress }: ImportOptions): Promise<Input> {
  const reader = await readLines(file, stdin, name);
  return { name, ...reader, header: null, onProgress, close: async () => void (await reader.lines.return(undefined)) };
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
  const hasHeader = first !== undefined && isHeader(first.text);
  const header = hasHeader ? parseLine(input.name, first, (json) => parseHeader(json, options.deployment)) : null;
  async function* lines() {
    let left = header?.logs ?? Number.POSITIVE_INFINITY;
    const count = (found: Line[]) => {
      const extra = found[left];
      left -= found.length;
      // At once: the file may go on for gigabytes.
      if (extra !== undefined)
        throw atLine(input.name, extra, new BadInputError(`the header says ${header?.logs} logs, but there are more`));
      return found;
    };
    yield count(hasHeader ? start.slice(1) : start);
    for await (const found of input.lines) yield count(found);
  }
  return { ...input, lines: lines(), header };
}

/** Imports logs in the caller's transaction. With a header, all that it says must be true. */
export async function importLogs(
  tx: Transaction,
  input: Input,
  { deployment, now }: Pick<ImportOptions, 'deployment' | 'now'>,
): Promise<Imported> {
  const roleOf = createRoleOf(deployment);
  return loadAtOnce(tx, { now }, async (loader) => {
    const imported = await importLines(input, {
      parse: parseRawLog,
      prepare: (logs) => decodeLogs(roleOf, logs),
      async write(logs) {
        const { added, ignored } = await loader.load(tx, logs);
        return { changed: added, ignored };
      },
    });
    requireHeader(input, imported.lines);
    await loader.finish(tx);
    if (imported.changed > 0) await markLoaded(tx);
    return imported;
  });
}

/** Reads logs without storing them. With a header, what it says of them must be true. */
export async function scanLogs(input: Input, onLogs: (logs: readonly ChainLog[]) => void): Promise<void> {
  const scan = async (logs: readonly ChainLog[]) => {
    onLogs(logs);
    return 0;
  };
  const { lines } = await importRows(input, parseRawLog, scan);
  requireHeader(input, lines);
}

function requireHeader({ name, header, sha256 }: Input, logs: number): void {
  if (header !== null) requireContent(name, header, { logs, sha256: sha256() });
}

export interface Input extends LineReader, Pick<ImportOptions, 'onProgress'> {
  /** Closes the file. For an input of which not all lines are read. */
  close(): Promise<void>;
  readonly name: string;
  /** Of a snapshot. */
  readonly header: SnapshotHeader | null;
}

function importRows<T extends object>(
  input: Input,
  parse: (json: unknown) => T,
  write: (rows: T[]) => Promise<number>,
): Promise<Imported> {
  return importLines(input, {
    parse,
    prepare: (rows) => rows,
    write: async (rows) => ({ changed: await write(rows) }),
  });
}

interface Importer<T extends object, P> {
  parse(json: unknown): T;
  /** The part of the work on a batch that runs while the previous batch is written. */
  prepare(values: T[]): P;
  write(batch: P): Promise<Pick<Imported, 'changed'> & Partial<Pick<Imported, 'ignored'>>>;
}

async function importLines<T extends object, P>(
  { name, lines: source, fraction, onProgress }: Input,
  { parse, prepare, write }: Importer<T, P>,
): Promise<Imported> {
  let lines = 0;
  let changed = 0;
  const ignored = new Map<string, number>();
  async function* parseBatches() {
    for await (const batch of gather(source, BATCH)) {
      const lineOf = new Map<object, Line>();
      const values = batch.map((line) => {
        const value = parseLine(name, line, parse);
        lineOf.set(value, line);
        return value;
      });
      yield { lineOf, prepared: prepare(values) };
    }
  }
  await overlap(parseBatches(), async ({ lineOf, prepared }) => {
    const result = await write(prepared).catch((error: unknown) => {
      const line = error instanceof BadInputError && error.culprit && lineOf.get(error.culprit);
      throw line ? atLine(name, line, error) : error;
    });
    lines += lineOf.size;
    changed += result.changed;
    for (const [reason, count] of result.ignored ?? []) ignored.set(reason, (ignored.get(reason) ?? 0) + count);
    onProgress(lines, fraction());
  });
  return { lines, changed, ignored };
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
