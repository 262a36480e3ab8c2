import { LongResultError } from './store.ts';

/** The texts of a short result, which take a few milliseconds to be read and serialised. */
const MAX_SHORT_LENGTH = 256 * 1024;
/** A statement for a short reader selects no more of a text that may be longer. */
export const MAX_SHORT_TEXT = 16_384;

/** Throws a `LongResultError` if the rows, or one of their texts, are too long. */
export function requireShort<R>(rows: readonly R[], cellsOf: (row: R) => readonly unknown[]): readonly R[] {
  let length = 0;
  for (const row of rows) {
    for (const cell of cellsOf(row)) {
      if (typeof cell !== 'string') continue;
      length += cell.length;
      if (length > MAX_SHORT_LENGTH || cell.length > MAX_SHORT_TEXT) throw new LongResultError();
    }
  }
  return rows;
}

/** A chunk ends when its texts have this length, which takes about a millisecond to send and to serialise. */
const CHUNK_LENGTH = 64 * 1024;

/** Takes the next rows of a result. */
export function takeChunk<R>(
  rows: Iterator<R>,
  cellsOf: (row: R) => Iterable<unknown>,
): { rows: R[]; isLast: boolean } {
  const taken: R[] = [];
  for (let length = 0; length < CHUNK_LENGTH; ) {
    const { done, value } = rows.next();
    if (done) return { rows: taken, isLast: true };
    taken.push(value);
    for (const cell of cellsOf(value)) length += typeof cell === 'string' ? cell.length : 8;
  }
  return { rows: taken, isLast: false };
}
