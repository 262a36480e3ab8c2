/** Rows per write. */
const CHUNK = 1_000;

/** Adds the rows of one item after another to `blank` ones, and yields them whenever there are enough for a write. */
export function* inChunks<R>(
  items: Iterable<number>,
  blank: () => R,
  addRows: (rows: R, item: number) => void,
  countOf: (rows: R) => number,
): Generator<R> {
  let rows = blank();
  for (const item of items) {
    addRows(rows, item);
    if (countOf(rows) < CHUNK) continue;
    yield rows;
    rows = blank();
  }
  yield rows;
}
