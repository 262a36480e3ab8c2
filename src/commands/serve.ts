import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import type { Store } from '../store/store.ts';
import { type Command, type Context, isSigterm } from './command.ts';
import { withConnectionLimit, withListenError } from './listen.ts';
import { isWorker, serveInWorkers } from './serve-workers.ts';
import { withApp } from './with-app.ts';
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
  await withApp({ ...context, config }, store, async (app, lookups) => {
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
  });
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
