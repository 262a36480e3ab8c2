import { describe, expect, it } from 'vitest';
import { LongResultError } from '../../src/store/store.ts';
import { requireShort, takeChunk } from '../../src/store/take-rows.ts';

const KIB = 1024;
const cellsOf = (row: readonly unknown[]) => row;
const rowsOf = (count: number, length: number) => Array.from({ length: count }, (_, i) => [i, 'x'.repeat(length)]);

describe('the rows that are taken at once', () => {
  it('are a chunk that ends with the row that makes it 64 KiB long', () => {
    const rows = rowsOf(100, KIB).values();
    const chunk = takeChunk(rows, cellsOf);
    expect([chunk.rows.length, chunk.isLast]).toEqual([64, false]);
    expect(takeChunk(rows, cellsOf)).toMatchObject({ rows: { length: 36 }, isLast: true });
  });

  it('are one row if it is longer than a chunk', () => {
    expect(takeChunk(rowsOf(3, 100 * KIB).values(), cellsOf).rows).toHaveLength(1);
  });

  it('are no short result if they are longer than 256 KiB, or one of their texts than 16', () => {
    expect(() => requireShort(rowsOf(257, KIB), cellsOf)).toThrow(LongResultError);
    expect(requireShort(rowsOf(256, KIB), cellsOf)).toHaveLength(256);
    expect(() => requireShort(rowsOf(1, 16 * KIB + 1), cellsOf)).toThrow(LongResultError);
    expect(requireShort(rowsOf(1, 16 * KIB), cellsOf)).toHaveLength(1);
  });
});
