import { createChainBars } from '../chain-bars.ts';
import { runIndexer } from '../indexer/run-indexer.ts';
import { chainsOf } from '../protocol/deployments.ts';
import { type Command, refuseWords, UsageError } from './command.ts';
import { withStore } from './with-store.ts';

export const indexCommand: Command = {
  usage: '',
  heedsSignals: true,
  help: `Reads the protocol's contracts from the nodes that RPC_URL_<chainId> names, from where it last stopped, and
follows the chains until it is told to end. Only one process indexes a database at a time; a second one stands by.`,
  async run(context, args) {
    refuseWords(args);
    const { config, logger, now, signal, stderr } = context;
    if (config.rpcUrls.size === 0) {
      const chains = chainsOf(config.deployment).map((chainId) => `RPC_URL_${chainId}`);
      throw new UsageError(`no node to index from: set at least one of ${chains.join(', ')}`);
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
        showProgress: bars.add,
      }),
    );
  },
};
