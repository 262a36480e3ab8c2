import { hostname } from 'node:os';
import { pid } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { describeError } from '../errors/operator-error.ts';
import { openStore } from '../store/open-store.ts';
import { retryDelayMs } from '../store/outage.ts';
import { NoPrimaryError, type OpenOptions, type Store, StoreUnavailableError } from '../store/store.ts';
import type { Context } from './command.ts';

type OpenContext = Pick<Context, 'config' | 'logger' | 'command'>;

/** Opens and migrates the configured database, runs `work`, and closes it. */
export async function withStore<T>(
  context: OpenContext,
  work: (store: Store) => Promise<T>,
  { mustExist = false }: Pick<OpenOptions, 'mustExist'> = {},
): Promise<T> {
  return closing(await open(context, mustExist), work);
}

/** The same for a command that runs long, which waits for a server that is not a primary yet. */
export async function withPrimary(context: Context, work: (store: Store) => Promise<void>): Promise<void> {
  const { signal } = context;
  for (let failures = 0; !signal.aborted; ) {
    let store: Store;
    try {
      store = await open(context, false);
    } catch (error) {
      // A server that restarts may refuse connections for a while, too.
      const isTemporary = error instanceof (failures === 0 ? NoPrimaryError : StoreUnavailableError);
      if (!isTemporary) throw error;
      if (failures === 0) reportOutage(context, error);
      failures += 1;
      await setTimeout(retryDelayMs(failures), undefined, { signal }).catch(() => undefined);
      continue;
    }
    if (failures > 0) reportRecovery(context);
    return closing(store, work);
  }
}

function open(context: OpenContext, mustExist: boolean): Promise<Store> {
  const name = `kith ${context.command} (process ${pid} on ${hostname()})`;
  return openStore(context.config.database, {
    name,
    onError: (error) => reportOutage(context, error),
    onRecovered: () => reportRecovery(context),
    threads: true,
    mustExist,
  });
}

async function closing<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function reportOutage({ logger }: Pick<Context, 'logger'>, error: Error): void {
  const { code, text } = describeError(error);
  logger.warn({ code }, `database error: ${text}`);
}

const reportRecovery = ({ logger }: Pick<Context, 'logger'>) => logger.info('database available again');
