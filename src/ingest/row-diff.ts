import { settleAll } from '../async/batches.ts';
import { type Row, TABLES } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

type Keyed = 'lists' | 'slots' | 'accounts';

/** Rows of a table before and after a change. `write` stores those that differ. */
export class RowDiff<T extends Keyed> {
  readonly #tx: Transaction;
  readonly #table: T;
  readonly #blank: (key: string) => Row<T>;
  readonly #before = new Map<string, Row<T>>();
  readonly #after = new Map<string, Row<T>>();

  /** `blank` returns the row of a key without any log; such a row is never stored. */
  constructor(tx: Transaction, table: T, blank: (key: string) => Row<T>) {
    this.#tx = tx;
    this.#table = table;
    this.#blank = blank;
  }

  /** Not safe to call concurrently: a key counts as loaded as soon as its read is issued. */
  async load(keys: Iterable<string | null>): Promise<void> {
    const missing = new Set<string>();
    for (const key of keys) if (key !== null && !this.#before.has(key)) missing.add(key);
    if (missing.size === 0) return;
    for (const key of missing) this.#before.set(key, this.#blank(key));
    const rows = await this.#tx.read(
      this.#table,
      TABLES[this.#table].key,
      [...missing].map((key) => [key]),
    );
    for (const row of rows) this.#before.set(this.#keyOf(row), row);
  }

  before(key: string): Readonly<Row<T>> {
    const row = this.#before.get(key);
    if (row === undefined) throw new Error(`${this.#table} ${key} was used before it was loaded`);
    return row;
  }

  /** The row after the change, to be modified in place. */
  after(key: string): Row<T> {
    const known = this.#after.get(key);
    if (known !== undefined) return known;
    const row: Row<T> = { ...(this.before(key) as Row<T>) };
    this.#after.set(key, row);
    return row;
  }

  /** Writes the rows that differ. Returns by how many the number of stored rows has grown. */
  async write(): Promise<number> {
    const changed = [...this.#after].filter(([key, row]) => !sameRow(row, this.before(key)));
    const gone = changed.filter(([key, row]) => sameRow(row, this.#blank(key)));
    const kept = changed.filter(([key, row]) => !sameRow(row, this.#blank(key)));
    const rows = (entries: [string, Row<T>][]) => entries.map(([, row]) => row);
    await settleAll([this.#tx.remove(this.#table, rows(gone)), this.#tx.upsert(this.#table, rows(kept))]);
    const isNew = ([key]: [string, Row<T>]) => sameRow(this.before(key), this.#blank(key));
    return kept.filter(isNew).length - gone.length;
  }

  /** By how many rows with a property the change has grown. */
  growthOf(has: (row: Readonly<Row<T>>) => boolean): number {
    let growth = 0;
    for (const [key, row] of this.#after) growth += Number(has(row)) - Number(has(this.before(key)));
    return growth;
  }

  #keyOf(row: Row<T>): string {
    // Safe: the three tables have a single key column of type text.
    return (row as Record<string, unknown>)[TABLES[this.#table].key[0] as string] as string;
  }
}

export function sameRow<R extends object>(a: R, b: R): boolean {
  return (Object.keys(a) as (keyof R)[]).every((column) => a[column] === b[column]);
}
