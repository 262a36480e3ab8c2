import { updateStaleRanks } from '../ranks/stale-ranks.ts';
import { findStaleRanks } from '../store/marks.ts';
import { type Store, StoreUnavailableError } from '../store/store.ts';
import type { Context } from './command.ts';

/**
 * Updates the ranks from a serving process where no indexer does, at most every other `RANKS_INTERVAL_MS`. An indexer
 * ranks within one interval, so ranks that are stale at two checks in a row were left by a process that was killed.
 */
export function keepRanks({ config, logger, now }: Pick<Context, 'config' | 'logger' | 'now'>, store: Store) {
  let last: number | null = null;
  let isRunning = false;
  const check = async () => {
    const stale = await findStaleRanks(store.reader);
    const isAbandoned = stale !== null && stale === last;
    last = stale;
    if (isAbandoned && (await updateStaleRanks(store, now())))
      logger.info('updated ranks that were older than the graph');
  };
  const run = () => {
    if (isRunning) return;
    isRunning = true;
    check()
      .catch((error: unknown) => {
        // The store reports an outage itself, once.
        if (!(error instanceof StoreUnavailableError)) logger.warn({ err: error }, 'failed to update ranks, retrying');
      })
      .finally(() => {
        isRunning = false;
      });
  };
  run();
  const timer = setInterval(run, 2 * config.ranksMs).unref();
  return { stop: () => clearInterval(timer) };
}
