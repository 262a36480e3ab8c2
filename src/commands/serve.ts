import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../http/app.ts';
import { createLookups } from '../lookup/lookups.ts';
import { loadNormalisation } from '../names/normalise-name.ts';
import { updateStaleRanks } from '../ranks/update-ranks.ts';
import { findStaleRanks } from '../store/state.ts';
import { type Store, StoreUnavailableError } from '../store/store.ts';
import { type Command, type Context, isSigterm } from './command.ts';
import { createSources, nodeLimitsOf } from './create-sources.ts';
import { withConnectionLimit, withListenError } from './listen.ts';
import { createClusterCollect, isWorker, serveInWorkers } from './serve-workers.ts';
import { withPrimary } from './with-store.ts';

export const serve: Command = {
  usage: '',
  isLongRunning: true,
  help: `Serves HTTP requests from the database. SIGTERM or SIGINT shuts it down after draining the requests
in progress; SIGTERM waits for SHUTDOWN_DELAY_S first. WORKERS processes share the port.`,
  async run(context) {
    if (context.config.workers > 1 && !isWorker) {
      // Migrates the database, which takes longer than a worker may be silent.
      await withPrimary(context, async () => undefined);
      return serveInWorkers(context, async () => undefined);
    }
    await withPrimary(context, (store) => serveStore(context, store, async () => undefined));
  },
};

/** How long a shutdown waits for requests that wait for a remote source. */
const SOURCE_GRACE_MS = 1_000;

/** A client that sends requests one after another sends the next one sooner; more would delay every restart. */
const LAST_REQUEST_MS = 1_000;

/** Connections that wait to be accepted. Under overload, accepting one takes some 2 ms; the last waits for half a second. */
const BACKLOG = 256;

/**
 * Limits how much the heap may grow between garbage collections. With V8's default, serving a million accounts at full
 * load took 350 MB; with this it takes 289 MB at the same throughput. It is set here and not by the process's arguments
 * because V8 reads it at each collection, and only the processes that serve should have it.
 */
const HEAP_GROWTH = '--heap-growing-percent=30';

/** Serves until the context's signal aborts. `onListening` gets the base URL. */
export async function serveStore(
  context: Context,
  store: Store,
  onListening: (url: string) => Promise<void>,
): Promise<void> {
  const { logger, signal } = context;
  // The primary process of workers says it for them.
  const config = withConnectionLimit(context.config, isWorker ? null : logger);
  setFlagsFromString(HEAP_GROWTH);
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
    createCollect: isWorker ? createClusterCollect : undefined,
    lastRequestMs: LAST_REQUEST_MS,
    random: Math.random,
  });
  const ranking = new AbortController();
  const ranked = keepRanks(context, store, ranking.signal);
  try {
    const { host, port, operationsPort } = config;
    if (operationsPort !== null)
      await withListenError('OPERATIONS_PORT', app.listenForOperations({ host, port: operationsPort }));
    const url = await withListenError('PORT', app.listen({ host, port, backlog: BACKLOG }));
    // Before the first search. If it fails, the next search tries again and reports why.
    void lookups.loadMembers().catch(() => undefined);
    await onListening(url);
    if (!signal.aborted) await once(signal, 'abort');
    await awaitBalancers(context, app);
    logger.info('shutting down, draining requests');
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
 * Lets load balancers notice by /ready that this process is about to stop. Until then it serves the requests that they
 * send.
 */
async function awaitBalancers({ config, logger, signal }: Context, app: FastifyInstance): Promise<void> {
  const { shutdownDelayMs } = config;
  app.announceShutdown();
  if (shutdownDelayMs === 0 || !isSigterm(signal)) return;
  logger.info({ shutdownDelayMs }, 'about to shut down, /ready is 503');
  await setTimeout(shutdownDelayMs);
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
