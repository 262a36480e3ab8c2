import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../http/app.ts';
import { createLookups, type Lookups } from '../lookup/lookups.ts';
import { loadNormalisation } from '../names/normalise-name.ts';
import { updateStaleRanks } from '../ranks/update-ranks.ts';
import { createGuardedFetch } from '../remote/guarded-fetch.ts';
import { findStaleRanks } from '../store/state.ts';
import { type Store, StoreUnavailableError } from '../store/store.ts';
import type { Context } from './command.ts';
import { createSources, nodeLimitsOf } from './create-sources.ts';
import { createClusterCollect, isWorker } from './serve-workers.ts';

/** Services that show previews wait for a picture for a few seconds only. */
const PICTURE_TIMEOUT_MS = 3_000;

/** How long a shutdown waits for requests that wait for a remote source. */
const SOURCE_GRACE_MS = 1_000;

/** A client that sends requests one after another sends the next one sooner; more would delay every restart. */
const LAST_REQUEST_MS = 1_000;

/** Runs `work` with the HTTP application on a store, and closes it with its sources. */
export async function withApp(
  context: Context,
  store: Store,
  work: (app: FastifyInstance, lookups: Lookups) => Promise<void>,
): Promise<void> {
  const { config } = context;
  loadNormalisation();
  const closing = new AbortController();
  const sources = await createSources(store, config.sources, {
    ...context,
    fetch: globalThis.fetch,
    limitOf: nodeLimitsOf(config, 'serve'),
    random: Math.random,
    signal: closing.signal,
  });
  const lookups = createLookups(store, { ...sources, profileUrl: config.profileUrl });
  const app = await buildApp({
    ...context,
    ...config,
    store,
    lookups,
    sourceMetrics: sources.metrics,
    fetchPicture: createGuardedFetch({ accept: 'image/*', timeoutMs: PICTURE_TIMEOUT_MS, signal: closing.signal }),
    createCollect: isWorker ? createClusterCollect : undefined,
    lastRequestMs: LAST_REQUEST_MS,
    random: Math.random,
  });
  const ranking = new AbortController();
  const ranked = keepRanks(context, store, ranking.signal);
  try {
    await work(app, lookups);
  } finally {
    ranking.abort();
    // A remote source that hangs must not delay the shutdown.
    const grace = globalThis.setTimeout(() => closing.abort(), SOURCE_GRACE_MS);
    try {
      await app.close();
    } finally {
      clearTimeout(grace);
      closing.abort();
      await sources.close();
      await ranked;
    }
  }
}

/**
 * Updates the ranks from a serving process where no indexer does, at most every other `RANKS_INTERVAL_MS`. An indexer
 * ranks within one interval, so ranks that are stale at two checks in a row were left by a process that was killed.
 */
async function keepRanks({ config, logger, now }: Context, store: Store, signal: AbortSignal): Promise<void> {
  // A shutdown ends a ranking between its steps, with which the next process goes on.
  const transaction: Store['transaction'] = (work) => {
    signal.throwIfAborted();
    return store.transaction(work);
  };
  for (let last: number | null = null; !signal.aborted; ) {
    try {
      const stale = await findStaleRanks(store.reader);
      const isAbandoned = stale !== null && stale === last;
      last = stale;
      if (isAbandoned && (await updateStaleRanks({ reader: store.reader, transaction }, now())))
        logger.info('updated ranks that were older than the graph');
    } catch (error) {
      // The store reports an outage itself, once.
      if (!signal.aborted && !(error instanceof StoreUnavailableError))
        logger.warn({ err: error }, 'failed to update ranks, retrying');
    }
    await setTimeout(2 * config.ranksMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
