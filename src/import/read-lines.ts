import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BadInputError } from '../errors/bad-input.ts';

export interface Line {
  /** Starts at 1. */
  readonly number: number;
  readonly text: string;
}

export interface LineReader {
  /** One array per chunk that was read. */
  readonly lines: AsyncGenerator<Line[]>;
  /** The share of the input that has been read, from 0 to 1; undefined when its size is unknown. */
  fraction(): number | undefined;
  /** The SHA-256 of all that follows the first line. For use after the last line. */
  sha256(): string;
}

const READ_BYTES = 2 ** 18;
/** Many times the longest log or profile. A longer line is no NDJSON, and would have to be held in memory. */
const MAX_LINE = 2 ** 22;
/** Blank lines in all: more than people leave in a file that they edit. */
const MAX_BLANK = 2 ** 20;
/** NDJSON shrinks to a tenth or so, gzip can shrink a file to a thousandth. */
const MAX_EXPANSION = 200;
/** A small file may consist of equal lines. */
const MIN_EXPANDED = 2 ** 26;

/** Reads the lines of a file, or of `stdin` for `-`. Skips empty lines. Errors call the file `name`. */
export async function readLines(path: string, stdin: Readable, name = nameOf(path)): Promise<LineReader> {
  const size = path === '-' ? 0 : (await stat(path).catch((error: Error) => fail(name, error))).size;
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of path === '-' ? stdin : createReadStream(path, { highWaterMark: READ_BYTES })) {
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      fail(name, error as Error);
    }
  }
  return {
    lines: splitLines(name, hashed(hash, gunzipped(name, counted())), () => bytes),
    fraction: () => (size === 0 ? undefined : Math.min(bytes / size, 1)),
    sha256: () => hash.digest('hex'),
  };
}

/** The name of an input in error messages. */
export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

function fail(file: string, error: Error): never {
  throw new BadInputError(`${file}: ${error.message}`);
}

/** Detects gzip by its magic number, not by the file name. */
async function* gunzipped(file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 2) {
    const chunk = await chunks.next();
    if (chunk.done) break;
    start = Buffer.concat([start, chunk.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield start;
    yield* chunks;
  }
  if (start[0] !== 0x1f || start[1] !== 0x8b) return yield* all();
  const gunzip = createGunzip({ chunkSize: READ_BYTES });
  // An error of either stream is also thrown by the loop below.
  pipeline(Readable.from(all()), gunzip).catch(() => undefined);
  try {
    yield* gunzip;
  } catch (error) {
    fail(file, error as Error);
  }
}

/** Hashes what follows the first newline. */
async function* hashed(hash: Hash, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isContent = false;
  for await (const chunk of chunks) {
    const start: number = isContent ? 0 : chunk.indexOf('\n') + 1;
    isContent ||= start > 0;
    if (isContent) hash.update(chunk.subarray(start));
    yield chunk;
  }
}

async function* splitLines(
  file: string,
  chunks: AsyncIterable<Buffer>,
  bytesRead: () => number,
): AsyncGenerator<Line[]> {
  // Drops a byte order mark, which JSON.parse rejects.
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  let blank = 0;
  let expanded = 0;
  const failAt = (line: number, reason: string): never => {
    throw new BadInputError(`${file}, line ${line}: ${reason}`);
  };
  const numbered = (texts: string[]) => {
    const lines: Line[] = [];
    for (const text of texts) {
      number += 1;
      if (text.trim() !== '') lines.push({ number, text });
      else if ((blank += text.length + 1) > MAX_BLANK) failAt(number, `more than ${MAX_BLANK} bytes of blank lines`);
    }
    return lines;
  };
  for await (const chunk of chunks) {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    yield numbered(texts);
    expanded += chunk.length;
    if (expanded > Math.max(MIN_EXPANDED, MAX_EXPANSION * bytesRead()))
      failAt(number + 1, `the file expands to more than ${MAX_EXPANSION} times its size`);
    if (rest.length > MAX_LINE) failAt(number + 1, `longer than ${MAX_LINE} characters`);
  }
  yield numbered([rest + decoder.decode()]);
}
