import { rewindTo } from '../indexer/cursor.ts';
import { createLogLoader } from '../ingest/load-logs.ts';
import { updateRanks } from '../ranks/update-ranks.ts';
import { type Command, integerOption, UsageError } from './command.ts';
import { withIndexerLock } from './with-indexer-lock.ts';
import { withStore } from './with-store.ts';

export const rewind: Command = {
  usage: '--chain ID --block BLOCK',
  help: `Removes the logs above a block of one chain and updates the graph, so that the indexer reads the blocks after it
again. For a chain that has stopped with E_DEEP_REORG: name a block before the reorg. Stop the indexer first.

  --chain ID     the chain
  --block BLOCK  the last block whose logs are kept`,
  options: { chain: { type: 'string' }, block: { type: 'string' } },
  async run(context, args) {
    for (const name of ['chain', 'block'])
      if (args.options[name] === undefined) throw new UsageError(`--${name} is missing`);
    const [chainId, block] = [integerOption(args, 'chain', 1, 0), integerOption(args, 'block', 0, 0)];
    const { now, stdout } = context;
    await withStore(
      context,
      async (store) => {
        const rewound = await withIndexerLock(context, store, async (write) => {
          const rewound = await write(async (tx) => {
            const rewound = await rewindTo(tx, chainId, block);
            // Logs that an indexer has stored and not folded: the graph is made from those that are left.
            await createLogLoader({ now }).finish(tx);
            return rewound;
          });
          if (rewound !== null) await updateRanks(write, now());
          return rewound;
        });
        if (rewound === null) throw new UsageError(`--block: chain ${chainId} is not indexed beyond block ${block}`);
        const next = rewound.block === null ? 'its start block' : `block ${rewound.block}`;
        stdout.write(`chain ${chainId}: ${rewound.removed} logs removed, indexing goes on from ${next}\n`);
      },
      { mustExist: true },
    );
  },
};
