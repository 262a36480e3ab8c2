import { openSqlite } from './sqlite/open.ts';
import type { OpenOptions, Store } from './store.ts';

export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly poolSize: number };

export async function openStore(location: DatabaseLocation, options: OpenOptions): Promise<Store> {
  switch (location.engine) {
    case 'sqlite':
      return openSqlite(location.path, options);
    case 'postgres': {
      // Loaded on demand: deployments on SQLite do not need the driver.
      const { openPostgres } = await import('./postgres/open.ts');
      return openPostgres(location, options);
    }
  }
}
