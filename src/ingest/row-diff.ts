import type { Row, TableName } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** How the rows of a table are read and written. */
export interface RowSource<R extends object, T extends TableName> {
  readonly table: T;
  keyOf(row: R): string;
  /** The row of a key without any log. */
  blank(key: string): R;
  read(keys: readonly string[]): Promise<R[]>;
  /** The row as it is stored. */
  toStored(row: R): Row<T>;
}

/** Rows of a table before and after a change. `write` stores those that differ. */
export class RowDiff<R extends object, T extends TableName> {
  readonly #source: RowSource<R, T>;
  readonly #before = new Map<string, R>();
  readonly #after = new Map<string, R>();

  constructor(source: RowSource<R, T>) {
    this.#source = source;
  }

  /** Not safe to call concurrently: a key counts as loaded as soon as its read is issued. */
  async load(keys: Iterable<string | null>): Promise<void> {
    const missing = new Set<string>();
    for (const key of keys) if (key !== null && !this.#before.has(key)) missing.add(key);
    if (missing.size === 0) return;
    for (const key of missing) this.#before.set(key, this.#source.blank(key));
    for (const row of await this.#source.read([...missing])) this.#before.set(this.#source.keyOf(row), row);
  }

  before(key: string): Readonly<R> {
    const row = this.#before.get(key);
    if (row === undefined) throw new Error(`${this.#source.table} ${key} was used before it was loaded`);
    return row;
  }

  /** The row after the change, to be modified in place. */
  after(key: string): R {
    const known = this.#after.get(key);
    if (known !== undefined) return known;
    const row: R = { ...this.before(key) };
    this.#after.set(key, row);
    return row;
  }

  /** The rows that differ, after the change. */
  changed(): R[] {
    return [...this.#after].filter(([key, row]) => !sameRow(row, this.before(key))).map(([, row]) => row);
  }

  write(tx: Transaction, changed: readonly R[] = this.changed()): Promise<void> {
    const { table, toStored } = this.#source;
    return tx.upsert(table, changed.map(toStored));
  }

  /** By how many rows with a property the change has grown. */
  growthOf(has: (row: Readonly<R>) => boolean): number {
    let growth = 0;
    for (const [key, row] of this.#after) growth += Number(has(row)) - Number(has(this.before(key)));
    return growth;
  }
}

export function sameRow<R extends object>(a: R, b: R): boolean {
  return (Object.keys(a) as (keyof R)[]).every((column) => a[column] === b[column]);
}
