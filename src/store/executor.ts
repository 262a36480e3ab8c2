import type { TableName } from './schema.ts';

/**
 * A statement that writes many rows. SQLite runs `text` once per row, because a call costs a microsecond. PostgreSQL runs
 * it once for all rows, with one array parameter per column, because a call is a network round trip.
 */
export interface BulkStatement {
  readonly text: string;
  /** SQLite only: writes exactly `rows` rows in one call. */
  readonly batch: { readonly text: string; readonly rows: number } | null;
}

/** Runs the statements of a dialect on one connection. Rows of bulk statements are passed column by column. */
export interface Executor {
  /** Runs one statement and returns its rows, if any. */
  run(text: string, params: readonly unknown[]): Promise<object[]>;
  /** Selects the rows that match any of many keys. */
  select(text: string, columns: readonly unknown[][]): Promise<object[]>;
  write(statement: BulkStatement, columns: readonly unknown[][]): Promise<void>;
  /** Inserts the rows whose key is not in the table, and returns their positions in the input. */
  insertNew(statement: BulkStatement, table: TableName, columns: readonly unknown[][]): Promise<number[]>;
}
