import { rebuildGraph } from '../ingest/rebuild/rebuild-graph.ts';
import { repairBlocks } from '../ingest/rewind.ts';
import { readState } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Command, Context } from './command.ts';
import { createProgress } from './progress.ts';
import { withStore } from './with-store.ts';

export const rebuild: Command = {
  usage: '',
  help: `Rebuilds the graph from all stored logs in one transaction; until it commits, requests read the old graph.
The result is the same graph, unless a new version of the program has changed a rule.`,
  async run(context) {
    await withStore(context, (store) => rebuildStore(context, store), { mustExist: true });
  },
};

export async function rebuildStore(context: Context, store: Store): Promise<void> {
  const { stdout, now } = context;
  const expected = (await readState(store.reader))('logs');
  const progress = createProgress('rebuild', 'logs', context);
  const logs = await store.transaction(async (tx) => {
    await repairBlocks(tx);
    await rebuildGraph(tx, now(), (done) => progress.update(done, Math.min(1, done / expected)));
    return (await readState(tx))('logs');
  });
  progress.end();
  stdout.write(`rebuilt the graph from ${logs} logs\n`);
}
