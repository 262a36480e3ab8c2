import { openSqlite } from './sqlite/open.ts';
import type { Store } from './store.ts';

export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly poolSize: number };

export interface OpenOptions {
  /** Hears of trouble that no caller is waiting for. */
  readonly onError: (error: Error) => void;
  /** Whether writes to SQLite get a thread of their own. */
  readonly threads?: boolean;
}

export async function openStore(location: DatabaseLocation, { onError, threads }: OpenOptions): Promise<Store> {
  switch (location.engine) {
    case 'sqlite':
      return openSqlite({ path: location.path, writer: threads ? 'thread' : 'here', onError });
    case 'postgres': {
      // Its driver takes memory and time to load, which most have no use for.
      const { openPostgres } = await import('./postgres/open.ts');
      return openPostgres({ url: location.url, poolSize: location.poolSize, onError });
    }
  }
}
