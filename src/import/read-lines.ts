import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { BadInputError } from '../protocol/bad-input.ts';

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

export interface LineReader {
  /** As many at a time as were read at once. */
  readonly lines: AsyncIterable<Line[]>;
  /** How much of the input has been read, of 1; undefined when its length is not known. */
  fraction(): number | undefined;
}

const READ_BYTES = 2 ** 18;

/** The lines of a file, or of `stdin` for `-`. Empty lines are passed over. */
export async function readLines(file: string, stdin: Readable): Promise<LineReader> {
  const size = file === '-' ? 0 : (await stat(file).catch((error: Error) => refuse(file, error))).size;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of file === '-' ? stdin : createReadStream(file, { highWaterMark: READ_BYTES })) {
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      refuse(file, error as Error);
    }
  }
  return {
    lines: splitLines(unpacked(file, counted())),
    fraction: () => (size === 0 ? undefined : Math.min(bytes / size, 1)),
  };
}

function refuse(file: string, error: Error): never {
  throw new BadInputError(`${file}: ${error.message}`);
}

/** Gzip is told by its first bytes, not by the file's name. */
async function* unpacked(file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
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
  // A failure of either stream is thrown by the loop below as well; this promise would only repeat it.
  pipeline(Readable.from(all()), gunzip).catch(() => undefined);
  try {
    yield* gunzip;
  } catch (error) {
    refuse(file, error as Error);
  }
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const decoder = new StringDecoder();
  let rest = '';
  let number = 0;
  const numbered = (texts: string[]) => texts.map((text) => ({ number: ++number, text })).filter(isFilled);
  // Some editors begin a file with a mark that JSON does not know.
  const withoutMark = (text: string) => (number === 0 && text.startsWith('\uFEFF') ? text.slice(1) : text);
  for await (const chunk of chunks) {
    const texts = withoutMark(rest + decoder.write(chunk)).split('\n');
    rest = texts.pop() ?? '';
    yield numbered(texts);
  }
  yield numbered([withoutMark(rest + decoder.end())]);
}

function isFilled({ text }: Line): boolean {
  return text.trim() !== '';
}
