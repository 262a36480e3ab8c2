import { openPostgres } from './open-postgres.ts';
import { openSqlite } from './open-sqlite.ts';
import type { Store } from './store.ts';

export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly poolSize: number };

export async function openStore(location: DatabaseLocation, onError: (error: Error) => void): Promise<Store> {
  switch (location.engine) {
    case 'sqlite':
      return openSqlite(location.path);
    case 'postgres':
      return openPostgres({ url: location.url, poolSize: location.poolSize, onError });
  }
}
