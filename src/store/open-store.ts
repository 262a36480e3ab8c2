import { openSqlite } from './sqlite/open.ts';
import type { Store } from './store.ts';

export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly poolSize: number };

export interface OpenOptions {
  /** Called when an outage of the database begins, and with errors of background work, which reject no promise. */
  readonly onError: (error: Error) => void;
  /** Called when an outage has ended. */
  readonly onRecovered?: () => void;
  /** Whether SQLite writes run in a worker thread. */
  readonly threads?: boolean;
  /** Fails with `E_NO_DATABASE` instead of creating the database. */
  readonly mustExist?: boolean;
}

export async function openStore(
  location: DatabaseLocation,
  { onError, onRecovered = () => undefined, threads, mustExist = false }: OpenOptions,
): Promise<Store> {
  switch (location.engine) {
    case 'sqlite':
      return openSqlite({
        path: location.path,
        writer: threads ? 'thread' : 'inline',
        onError,
        onRecovered,
        mustExist,
      });
    case 'postgres': {
      // Loaded on demand: deployments on SQLite do not need the driver.
      const { openPostgres } = await import('./postgres/open.ts');
      return openPostgres({ url: location.url, poolSize: location.poolSize, onError, onRecovered, mustExist });
    }
  }
}
