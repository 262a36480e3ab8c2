import { readMeasurements } from '../lookup/measurements.ts';
import { createStatusLookup } from '../lookup/status.ts';
import type { Store } from '../store/store.ts';
import type { Context } from './command.ts';
import { sourceKindsOf } from './create-sources.ts';
import { withListenError } from './with-listen-error.ts';

/** Runs `work` of `kith index`, and meanwhile serves probes and metrics on the operations port, if there is one. */
export async function withOperations(
  { config, isSupervised, logger, now }: Context,
  store: Store,
  isActive: () => boolean,
  work: () => Promise<void>,
): Promise<void> {
  // Under `kith start`, the parent process listens on OPERATIONS_PORT.
  const [variable, port] = isSupervised
    ? ['INDEXER_OPERATIONS_PORT', config.indexerOperationsPort]
    : ['OPERATIONS_PORT', config.operationsPort];
  if (port === null) return work();
  // Loaded on demand: an indexer without the port does not need the HTTP server.
  const { buildIndexerApp } = await import('../http/operations/indexer-app.ts');
  const lookups = {
    status: createStatusLookup(store, sourceKindsOf(config.sources)),
    measurements: () => readMeasurements(store),
  };
  const app = buildIndexerApp({ engine: store.engine, lookups, logger, now, isActive });
  const listenTextResolver = (address: string) => `serving probes at ${address}`;
  await withListenError(variable, app.listen({ host: config.host, port, listenTextResolver }));
  try {
    await work();
  } finally {
    await app.close();
  }
}
