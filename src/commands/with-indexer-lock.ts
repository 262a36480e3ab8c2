import { setTimeout } from 'node:timers/promises';
import { CommandError } from '../errors/operator-error.ts';
import { fenced, readHolderName } from '../store/lease.ts';
import { type IndexerLock, type Store, StoreUnavailableError } from '../store/store.ts';
import type { Context } from './command.ts';

/** Shorter than a lease of SQLite. */
const RENEW_MS = 2_000;
const WAIT_MS = 500;

/**
 * Runs `work` while no other process indexes, with a function for transactions that commit only while that is so.
 * If another process holds the lock, it is waited for as long as `waitWhile` resolves with true. Then returns null.
 */
export async function withIndexerLock<T>(
  context: Pick<Context, 'monotonic' | 'signal' | 'logger'>,
  store: Store,
  work: (write: Store['transaction']) => Promise<T>,
  waitWhile?: () => Promise<boolean>,
): Promise<T | null> {
  const lock = store.createIndexerLock(context.monotonic);
  const done = new AbortController();
  let renewed: Promise<void> | undefined;
  try {
    if (!(await acquire(context, lock, store, waitWhile))) return null;
    renewed = renew(lock, done.signal);
    return await work((write, options) => store.transaction((tx) => fenced(tx, lock, write), options));
  } finally {
    done.abort();
    await renewed;
    await lock.release();
  }
}

async function acquire(
  { signal, logger }: Pick<Context, 'signal' | 'logger'>,
  lock: IndexerLock,
  { reader }: Store,
  waitWhile?: () => Promise<boolean>,
) {
  if (await lock.acquire()) return true;
  const holder = await readHolderName(reader);
  if (waitWhile === undefined)
    throw new CommandError('E_INDEXER_RUNNING', `${holder} holds the indexer lock: stop it, or wait until it is done`);
  logger.info({ holder }, 'waiting for another process that indexes or loads a snapshot');
  while (await waitWhile()) {
    await setTimeout(WAIT_MS, undefined, { signal });
    if (await lock.hold().catch(falseIfUnavailable)) return true;
  }
  return false;
}

/** A transaction of the other process may take longer than a write waits for it. */
function falseIfUnavailable(error: unknown): false {
  if (error instanceof StoreUnavailableError) return false;
  throw error;
}

/** Keeps the lock during work outside of transactions. If it is lost all the same, the transaction does not commit. */
async function renew(lock: IndexerLock, signal: AbortSignal): Promise<void> {
  const ignore = () => undefined;
  for (;;) {
    await setTimeout(RENEW_MS, undefined, { signal }).catch(ignore);
    if (signal.aborted) return;
    await lock.keep().catch(ignore);
  }
}
