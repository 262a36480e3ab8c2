import { createStatusLookup } from '../lookup/status.ts';
import { type Command, refuseWords } from './command.ts';
import { sourceKindsOf } from './create-sources.ts';
import { withStore } from './with-store.ts';

export const status: Command = {
  usage: '',
  help: 'Prints, as JSON, what GET /status answers: engine, data version, counts, ranks, chains and sources.',
  async run(context, args) {
    refuseWords(args);
    await withStore(context, async (store) => {
      const found = await createStatusLookup(store, sourceKindsOf(context.config.sources))(context.now());
      context.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    });
  },
};
