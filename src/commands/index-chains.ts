import { type IndexerOptions, runIndexer } from '../indexer/run-indexer.ts';
import { createStatusLookup, readMeasurements } from '../lookup/status.ts';
import { refreshProfiles } from '../names/background/refresh-profiles.ts';
import { chainsOf } from '../protocol/deployments.ts';
import { createNodeLimit, type LimitOf } from '../rpc/node-limit.ts';
import type { Store } from '../store/store.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { createProfileSource, hasWork, nodeLimitsOf, refreshesProfiles, sourceKindsOf } from './create-sources.ts';
import { withListenError } from './listen.ts';
import { createShowProgress } from './progress.ts';
import { withPrimary } from './with-store.ts';

export const indexCommand: Command = {
  usage: '',
  isLongRunning: true,
  help: `Indexes the contracts of the deployment from the JSON-RPC endpoints in RPC_URL_<chainId>: first a backfill from
the stored cursor, then new blocks, until SIGTERM or SIGINT. Refreshes profiles in the background, from
RPC_URL_1. One process indexes a database at a time; a second one waits for the lock and takes over.
Probes and metrics are on OPERATIONS_PORT, if it is set.`,
  async run(context) {
    const { config } = context;
    if (!hasWork(config)) {
      const chains = chainsOf(config.deployment).map((chainId) => `RPC_URL_${chainId}`);
      const names = config.sources.names.kind === 'none' ? '' : ', or NAME_REQUESTS_PER_SECOND above 0';
      throw new UsageError(`nothing to index: set at least one of ${chains.join(', ')}${names}`);
    }
    const without = config.indexedChains.find((chainId) => !config.rpcUrls.has(chainId));
    if (without !== undefined) throw new UsageError(`INDEX_CHAINS names chain ${without}: set RPC_URL_${without}`);
    const added = config.addedChains.find((chainId) => !config.rpcUrls.has(chainId));
    if (added !== undefined) throw new UsageError(`LIST_RECORDS_${added} is set: set RPC_URL_${added} as well`);
    const limitOf = nodeLimitsOf(config, 'index');
    let isActive = false;
    await withPrimary(context, (store) =>
      withOperations(
        context,
        store,
        () => isActive,
        () =>
          runIndexer({
            ...context,
            store,
            random: Math.random,
            fetch: globalThis.fetch,
            limitOf,
            refreshProfiles: createRefresh(context, store, limitOf),
            showProgress: createShowProgress(context),
            onActive: (active) => {
              isActive = active;
            },
          }),
      ),
    );
  },
};

function createRefresh(context: Context, store: Store, limitOf: LimitOf): IndexerOptions['refreshProfiles'] {
  const { sources } = context.config;
  if (!refreshesProfiles(sources)) return null;
  return async ({ write, sleep, ending, counters }) => {
    const { profileMaxAgeMs: maxAgeMs, nameRequestsPerSecond: requestsPerSecond, gateways } = sources;
    const limit = createNodeLimit({ callsPerSecond: requestsPerSecond, callsInFlight: null });
    const fetch: typeof globalThis.fetch = (...request) => limit.run(1, () => globalThis.fetch(...request), ending);
    const tools = { ...context, fetch, limitOf, random: Math.random, signal: ending };
    const source = await createProfileSource(sources, tools);
    if (source === null) throw new Error('a name source is configured, but was not created');
    const onOutcome = (outcome: string) => counters.add('profile_refreshes', outcome);
    const pace = { maxAgeMs, requestsPerSecond, sleep, ending };
    return refreshProfiles({ ...context, ...pace, reader: store.reader, write, source, gateways, onOutcome });
  };
}

/** Runs `work` of `kith index`, and meanwhile serves probes and metrics on the operations port, if there is one. */
async function withOperations(
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
    databaseFault: store.readFault,
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
