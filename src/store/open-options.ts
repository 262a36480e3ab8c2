import type { OutageOptions } from './outage.ts';

export interface OpenOptions extends OutageOptions {
  /** Whether SQLite writes run in a worker thread. */
  readonly threads?: boolean;
  /** Fails with `E_NO_DATABASE` instead of creating the database. */
  readonly mustExist?: boolean;
}
