import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Line, readLines } from '../../src/import/read-lines.ts';

const TEXT = 'one\n\n  \ntwo 🦊 é\r\nthree';
const LINES = [
  { number: 1, text: 'one' },
  { number: 4, text: 'two 🦊 é\r' },
  { number: 5, text: 'three' },
];

async function linesOf(chunks: Iterable<Uint8Array>) {
  const { lines } = await readLines('-', Readable.from(chunks, { objectMode: false }));
  const found: Line[] = [];
  for await (const some of lines) found.push(...some);
  return found;
}

/** Splits bytes into chunks of `size`. */
function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('readLines', () => {
  it.each([1, 2, 3, 7, 1000])('numbers the lines of plain text in chunks of %i bytes', async (size) => {
    expect(await linesOf(cut(Buffer.from(TEXT), size))).toEqual(LINES);
  });

  it.each([1, 2, 3, 7, 1000])('numbers the lines of gzip in chunks of %i bytes', async (size) => {
    expect(await linesOf(cut(gzipSync(TEXT), size))).toEqual(LINES);
  });

  it('reads concatenated gzip files', async () => {
    const packed = Buffer.concat([gzipSync('one\ntw'), gzipSync('o\n')]);
    expect(await linesOf([packed])).toEqual([
      { number: 1, text: 'one' },
      { number: 2, text: 'two' },
    ]);
  });

  it('returns no lines for empty input', async () => {
    expect(await linesOf([])).toEqual([]);
  });

  it('strips a byte order mark', async () => {
    expect(await linesOf([Buffer.from('\ufeffone\n')])).toEqual([{ number: 1, text: 'one' }]);
  });

  it('reads a line that is longer than a chunk', async () => {
    const long = 'x'.repeat(2 ** 21);
    const [line] = await linesOf(cut(Buffer.from(`${long}\n`), 65_536));
    expect(line?.text.length).toBe(long.length);
  });

  it('reports no fraction for standard input, whose size is unknown', async () => {
    const { fraction } = await readLines('-', Readable.from([]));
    expect(fraction()).toBeUndefined();
  });
});
