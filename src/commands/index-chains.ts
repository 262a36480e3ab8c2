import { type IndexerOptions, runIndexer } from '../indexer/run-indexer.ts';
import { createRateLimitedFetch } from '../names/background/rate-limited-fetch.ts';
import { refreshProfiles } from '../names/background/refresh-profiles.ts';
import { chainsOf } from '../protocol/deployments.ts';
import type { LimitOf } from '../rpc/node-limit.ts';
import type { Store } from '../store/store.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { createProfileSource, nodeLimitsOf } from './create-sources.ts';
import { hasWork, refreshesProfiles } from './has-work.ts';
import { createShowProgress } from './progress.ts';
import { withOperations } from './with-operations.ts';
import { withStore } from './with-store.ts';

export const indexCommand: Command = {
  usage: '',
  isLongRunning: true,
  help: `Indexes the contracts of the deployment from the JSON-RPC endpoints in RPC_URL_<chainId>: first a backfill from
the stored cursor, then new blocks, until SIGTERM or SIGINT. Refreshes profiles in the background, from
RPC_URL_1. One process indexes a database at a time; a second one waits for the lock and takes over.
Probes and metrics are on OPERATIONS_PORT, if it is set.`,
  async run(context) {
    const { config, logger, now, signal } = context;
    if (!hasWork(config)) {
      const chains = chainsOf(config.deployment).map((chainId) => `RPC_URL_${chainId}`);
      const names = config.sources.names.kind === 'none' ? '' : ', or NAME_REQUESTS_PER_SECOND above 0';
      throw new UsageError(`nothing to index: set at least one of ${chains.join(', ')}${names}`);
    }
    const without = config.indexedChains.find((chainId) => !config.rpcUrls.has(chainId));
    if (without !== undefined) throw new UsageError(`INDEX_CHAINS names chain ${without}: set RPC_URL_${without}`);
    const limitOf = nodeLimitsOf(config, 'index');
    let isActive = false;
    await withStore(context, (store) =>
      withOperations(
        context,
        store,
        () => isActive,
        () =>
          runIndexer({
            config,
            store,
            logger,
            now,
            signal,
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

function createRefresh(
  { config: { sources }, logger, now }: Context,
  store: Store,
  limitOf: LimitOf,
): IndexerOptions['refreshProfiles'] {
  if (!refreshesProfiles(sources)) return null;
  return async ({ write, sleep, ending, counters }) => {
    const { profileMaxAgeMs: maxAgeMs, nameRequestsPerSecond: requestsPerSecond, gateways } = sources;
    const fetch = createRateLimitedFetch({ fetch: globalThis.fetch, requestsPerSecond, sleep });
    const tools = { fetch, limitOf, now, random: Math.random, logger, signal: ending };
    const source = await createProfileSource(sources, tools);
    if (source === null) throw new Error('a name source is configured, but was not created');
    const onOutcome = (outcome: string) => counters.add('profile_refreshes', outcome);
    const pace = { maxAgeMs, requestsPerSecond, now, sleep, ending };
    return refreshProfiles({ ...pace, reader: store.reader, write, source, gateways, onOutcome, logger });
  };
}
