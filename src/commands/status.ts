import { createStatusLookup } from '../lookup/status.ts';
import { type Command, refuseWords } from './command.ts';
import { withStore } from './with-store.ts';

export const status: Command = {
  usage: '',
  help: 'Prints, as JSON, what GET /status answers: engine, data version, counts, ranks and chains.',
  async run(context, args) {
    refuseWords(args);
    await withStore(context, async (store) => {
      const found = await createStatusLookup(store)(context.now());
      context.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    });
  },
};
