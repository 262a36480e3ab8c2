import type { OpenOptions } from '../store/open-options.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import type { Context } from './command.ts';

/** Opens and migrates the configured database, runs `work`, and closes it. */
export async function withStore<T>(
  { config, logger }: Context,
  work: (store: Store) => Promise<T>,
  { mustExist = false }: Pick<OpenOptions, 'mustExist'> = {},
): Promise<T> {
  const onError = (error: Error) => logger.warn({ err: error }, 'database error');
  const onRecovered = () => logger.info('database available again');
  const store = await openStore(config.database, { onError, onRecovered, threads: true, mustExist });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
