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

  it.each([
    ['blank lines', '\n'.repeat(2 ** 20 + 1), /^standard input, line 1048577: more than 1048576 bytes of blank lines$/],
    ['white space', ' \n'.repeat(2 ** 20), /^standard input, line 524289: more than 1048576 bytes of blank lines$/],
    ['a long line', 'x'.repeat(2 ** 22 + 1), /^standard input, line 1: longer than 4194304 characters$/],
  ])('rejects too much of %s', async (_, text, message) => {
    await expect(linesOf(cut(gzipSync(text), 1_000))).rejects.toThrow(message);
    await expect(linesOf(cut(Buffer.from(text), 65_536))).rejects.toThrow(message);
  });

  it('rejects a gzip file that expands to many times its size', async () => {
    const line = `{"a":1}${' '.repeat(10_000)}\n`;
    const packed = gzipSync(line.repeat(7_000));
    await expect(linesOf([packed])).rejects.toThrow(
      /^standard input, line \d+: the file expands to more than 200 times its size$/,
    );
    // As plain text it is what it says.
    expect(await linesOf(cut(Buffer.from(line.repeat(7_000)), 2 ** 18))).toHaveLength(7_000);
  });

  it('reports no fraction for standard input, whose size is unknown', async () => {
    const { fraction } = await readLines('-', Readable.from([]));
    expect(fraction()).toBeUndefined();
  });
});
