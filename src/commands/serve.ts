import { setFlagsFromString } from 'node:v8';
import { buildApp } from '../http/app.ts';
import { createLookups } from '../lookup/lookups.ts';
import type { Store } from '../store/store.ts';
import { type Command, type Context, rejectPositionals } from './command.ts';
import { createSources } from './create-sources.ts';
import { isWorker, serveInWorkers } from './serve-workers.ts';
import { withStore } from './with-store.ts';
import { collectFromAll } from './worker-metrics.ts';

export const serve: Command = {
  usage: '',
  isLongRunning: true,
  help: `Answers HTTP requests from the database until it is told to end (SIGTERM or SIGINT);
requests under way are then finished first. WORKERS processes share the port.`,
  async run(context, args) {
    rejectPositionals(args);
    if (context.config.workers > 1 && !isWorker) return serveInWorkers(context, async () => undefined);
    await withStore(context, (store) => serveStore(context, store, async () => undefined));
  },
};

/** How long requests that wait for a source may go on when the end has come. */
const GRACE_MS = 1_000;

/**
 * How far the heap may outgrow what is in use before V8 clears it. Left to itself V8 lets it double or more: serving a
 * million accounts at full load took up to 350 MB that way, 59 of them for pages; like this 289, with 92, and as quickly.
 */
const HEAP_GROWTH = '--heap-growing-percent=30';

/** Serves until the context's signal. `onListening` hears the base URL. */
export async function serveStore(
  { config, logger, now, signal }: Context,
  store: Store,
  onListening: (url: string) => Promise<void>,
): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const closing = new AbortController();
  const sources = await createSources(store, config.sources, {
    fetch: globalThis.fetch,
    now,
    random: Math.random,
    logger,
    signal: closing.signal,
  });
  const lookups = createLookups(store, sources);
  const app = await buildApp({
    store,
    lookups,
    logger,
    cacheBytes: config.cacheBytes,
    indexedChains: [...config.rpcUrls.keys()],
    now,
    createCollect: isWorker ? collectFromAll : undefined,
  });
  try {
    const url = await app.listen({ host: config.host, port: config.port });
    await onListening(url);
    await untilAborted(signal);
    logger.info('ending: requests under way are finished first');
  } finally {
    // Requests under way are finished, but a source that hangs is not waited for.
    const grace = setTimeout(() => closing.abort(), GRACE_MS);
    await app.close();
    clearTimeout(grace);
    closing.abort();
    await sources.close();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
