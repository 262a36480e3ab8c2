import { openSqlite } from './sqlite/open.ts';
import type { Store } from './store.ts';

export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly poolSize: number };

export interface OpenOptions {
  /** Called with errors of background work, which reject no promise. */
  readonly onError: (error: Error) => void;
  /** Whether SQLite writes run in a worker thread. */
  readonly threads?: boolean;
}

export async function openStore(location: DatabaseLocation, { onError, threads }: OpenOptions): Promise<Store> {
  switch (location.engine) {
    case 'sqlite':
      return openSqlite({ path: location.path, writer: threads ? 'thread' : 'inline', onError });
    case 'postgres': {
      // Loaded on demand: deployments on SQLite do not need the driver.
      const { openPostgres } = await import('./postgres/open.ts');
      return openPostgres({ url: location.url, poolSize: location.poolSize, onError });
    }
  }
}
