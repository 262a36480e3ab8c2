import type { TableName } from './schema.ts';

/** Runs a dialect's statements on one connection. Bulk statements get their rows column by column. */
export interface Executor {
  /** A statement with parameters of its own, which may give rows. */
  run(text: string, params: readonly unknown[]): Promise<object[]>;
  /** What a bulk select finds. */
  select(text: string, columns: readonly unknown[][]): Promise<object[]>;
  /** A bulk statement that gives nothing. */
  write(text: string, columns: readonly unknown[][]): Promise<void>;
  /** Inserts rows of a table, and tells the positions of those that were not there before. */
  insertNew(text: string, table: TableName, columns: readonly unknown[][]): Promise<number[]>;
}
