import { finishMigration } from '../ingest/rebuild/finish-migration.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import type { Context } from './command.ts';

/** Opens the configured database, migrated, for the time of `work`. */
export async function withStore<T>({ config, logger, now }: Context, work: (store: Store) => Promise<T>): Promise<T> {
  const onError = (error: Error) => logger.warn({ err: error }, 'there is trouble with the database');
  const store = await openStore(config.database, { onError, threads: true });
  try {
    await finishMigration(store, now());
    return await work(store);
  } finally {
    await store.close();
  }
}
