import { type IndexerOptions, runIndexer } from '../indexer/run-indexer.ts';
import { createPacedFetch } from '../names/paced-fetch.ts';
import { refreshProfiles } from '../names/refresh-profiles.ts';
import { chainsOf } from '../protocol/deployments.ts';
import type { Store } from '../store/store.ts';
import { createChainBars } from './chain-bars.ts';
import { type Command, type Context, refuseWords, UsageError } from './command.ts';
import { createProfileSource } from './create-sources.ts';
import { withStore } from './with-store.ts';

export const indexCommand: Command = {
  usage: '',
  isLongRunning: true,
  help: `Reads the protocol's contracts from the nodes that RPC_URL_<chainId> names, from where it last stopped, and
follows the chains until it is told to end. Meanwhile it keeps profiles fresh, from ENSTATE_URL or from RPC_URL_1. Only
one process indexes a database at a time; a second one stands by.`,
  async run(context, args) {
    refuseWords(args);
    const { config, logger, now, signal, stderr } = context;
    if (!hasWork(config)) {
      const chains = chainsOf(config.deployment).map((chainId) => `RPC_URL_${chainId}`);
      const names = config.sources.names.kind === 'none' ? ', or ENSTATE_URL' : ', or NAME_REQUESTS_PER_SECOND above 0';
      throw new UsageError(`no node to index from: set at least one of ${chains.join(', ')}${names}`);
    }
    const bars = createChainBars({ output: stderr, now });
    await withStore(context, (store) =>
      runIndexer({
        config,
        store,
        logger,
        now,
        signal,
        random: Math.random,
        fetch: globalThis.fetch,
        refreshProfiles: createRefresh(context, store),
        showProgress: bars.add,
      }),
    );
  },
};

/** Whether there is anything to do beside answering requests. */
export function hasWork({ rpcUrls, sources }: Context['config']): boolean {
  return rpcUrls.size > 0 || refreshes(sources);
}

function refreshes({ names, nameRequestsPerSecond }: Context['config']['sources']): boolean {
  return names.kind !== 'none' && nameRequestsPerSecond > 0;
}

function createRefresh({ config: { sources }, logger, now }: Context, store: Store): IndexerOptions['refreshProfiles'] {
  if (!refreshes(sources)) return null;
  return async ({ write, sleep, ending }) => {
    const { profileMaxAgeMs: maxAgeMs, nameRequestsPerSecond: requestsPerSecond, gateways } = sources;
    const fetch = createPacedFetch({ fetch: globalThis.fetch, requestsPerSecond, sleep });
    const source = await createProfileSource(sources, { fetch, now, random: Math.random, logger, signal: ending });
    if (source === null) throw new Error('a source of names is configured, but there is none');
    const pace = { maxAgeMs, requestsPerSecond, now, sleep, ending };
    return refreshProfiles({ ...pace, reader: store.reader, write, source, gateways, logger });
  };
}
