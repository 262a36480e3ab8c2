import type { ColumnKind } from './schema.ts';

/**
 * A statement for many rows. SQLite runs `text` once per row, because a call costs a microsecond. PostgreSQL runs it once
 * for all rows, with one array parameter per column, because a call is a network round trip.
 */
export interface BulkStatement {
  readonly text: string;
  /** SQLite only: the same for exactly `rows` rows in one call. */
  readonly batch: { readonly text: string; readonly rows: number } | null;
  /** PostgreSQL only: inserts the same rows with COPY, which takes a third of the time and one round trip more. */
  readonly copy?: { readonly text: string; readonly kinds: readonly ColumnKind[] };
}

/** Runs the statements of a dialect on one connection, and returns their rows, if any. */
export interface Executor {
  run(text: string, params: readonly unknown[]): Promise<object[]>;
  /** Rows are passed column by column. */
  runBulk(statement: BulkStatement, columns: readonly unknown[][]): Promise<object[]>;
}
