import { createStatusLookup } from '../lookup/status.ts';
import type { Store } from '../store/store.ts';
import type { Command } from './command.ts';
import { sourceKindsOf } from './create-sources.ts';
import { withStore } from './with-store.ts';

export const status: Command = {
  usage: '',
  help: 'Prints the response of GET /status as JSON: engine, data version, counts, ranks, chains and sources.',
  async run(context) {
    const print = async (store: Store) => {
      const found = await createStatusLookup(store, sourceKindsOf(context.config.sources))(context.now());
      context.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    };
    await withStore(context, print, { mustExist: true });
  },
};
