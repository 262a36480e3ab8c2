import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../http/app.ts';
import { createLookups } from '../lookup/lookups.ts';
import { loadNormalisation } from '../names/normalise-name.ts';
import type { Store } from '../store/store.ts';
import { type Command, type Context, isSigterm } from './command.ts';
import { createSources, nodeLimitsOf } from './create-sources.ts';
import { keepRanks } from './keep-ranks.ts';
import { isWorker, serveInWorkers } from './serve-workers.ts';
import { withListenError } from './with-listen-error.ts';
import { withStore } from './with-store.ts';
import { createClusterCollect } from './worker-metrics.ts';

export const serve: Command = {
  usage: '',
  isLongRunning: true,
  help: `Serves HTTP requests from the database. SIGTERM or SIGINT shuts it down after draining the requests
in progress; SIGTERM waits for SHUTDOWN_DELAY_S first. WORKERS processes share the port.`,
  async run(context) {
    if (context.config.workers > 1 && !isWorker) {
      // Migrates the database, which takes longer than a worker may be silent.
      await withStore(context, async () => undefined);
      return serveInWorkers(context, async () => undefined);
    }
    await withStore(context, (store) => serveStore(context, store, async () => undefined));
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
  const { config, logger, now, signal } = context;
  setFlagsFromString(HEAP_GROWTH);
  loadNormalisation();
  const closing = new AbortController();
  const sources = await createSources(store, config.sources, {
    fetch: globalThis.fetch,
    limitOf: nodeLimitsOf(config, 'serve'),
    now,
    random: Math.random,
    logger,
    signal: closing.signal,
  });
  const lookups = createLookups(store, { ...sources, profileUrl: config.profileUrl });
  const app = await buildApp({
    store,
    lookups,
    logger,
    cacheBytes: config.cacheBytes,
    limits: config.limits,
    publicUrl: config.publicUrl,
    maxLagSeconds: config.maxLagSeconds,
    now,
    sourceMetrics: sources.metrics,
    createCollect: isWorker ? createClusterCollect : undefined,
    lastRequestMs: LAST_REQUEST_MS,
  });
  const ranks = keepRanks(context, store);
  try {
    const { host, port, operationsPort } = config;
    if (operationsPort !== null)
      await withListenError('OPERATIONS_PORT', app.listenForOperations({ host, port: operationsPort }));
    const url = await withListenError('PORT', app.listen({ host, port, backlog: BACKLOG }));
    await onListening(url);
    if (!signal.aborted) await once(signal, 'abort');
    await awaitBalancers(context, app);
    logger.info('shutting down, draining requests');
  } finally {
    ranks.stop();
    // A remote source that hangs must not delay the shutdown.
    const grace = globalThis.setTimeout(() => closing.abort(), SOURCE_GRACE_MS);
    await app.close();
    clearTimeout(grace);
    closing.abort();
    await sources.close();
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
