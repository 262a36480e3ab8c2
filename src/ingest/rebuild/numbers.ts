type Typed = Int32Array | Float64Array | Uint8Array;

/** A growing typed array. Millions of edges and ops would not fit in memory as objects. */
export class Numbers<A extends Typed> {
  #values: A;
  #length = 0;

  constructor(empty: A) {
    this.#values = empty;
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      // Safe: the constructor of a typed array creates one of the same type.
      const larger = new (this.#values.constructor as new (length: number) => A)(Math.max(1024, this.#length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    // Safe: callers stay below `length`, and every element below it has been written.
    return this.#values[index] as number;
  }
}

export const int32 = () => new Numbers(new Int32Array(0));
export const float64 = () => new Numbers(new Float64Array(0));
export const uint8 = () => new Numbers(new Uint8Array(0));

/** The positions of `keys` by key: those of key k are `order[start[k]]` up to, not including, `order[start[k + 1]]`. */
export interface Grouping {
  readonly start: Int32Array;
  readonly order: Int32Array;
}

/** Groups positions by key with a counting sort, which keeps their order. */
export function groupBy(keys: Numbers<Int32Array>, count: number): Grouping {
  const start = new Int32Array(count + 1);
  for (let i = 0; i < keys.length; i++) {
    const next = keys.at(i) + 1;
    start[next] = (start[next] as number) + 1;
  }
  for (let k = 0; k < count; k++) start[k + 1] = (start[k + 1] as number) + (start[k] as number);
  const free = start.slice();
  const order = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys.at(i);
    const position = free[key] as number;
    order[position] = i;
    free[key] = position + 1;
  }
  return { start, order };
}

/** The positions of one group. */
export function groupOf({ start, order }: Grouping, key: number): Int32Array {
  return order.subarray(start[key], start[key + 1]);
}

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
