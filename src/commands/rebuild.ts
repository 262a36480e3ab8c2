import { rebuildGraph } from '../ingest/rebuild/rebuild-graph.ts';
import { createStatusLookup } from '../lookup/status.ts';
import type { Store } from '../store/store.ts';
import type { Command, Context } from './command.ts';
import { sourceKindsOf } from './create-sources.ts';
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
  const { config, stdout, now } = context;
  const { logs } = (await createStatusLookup(store, sourceKindsOf(config.sources))(now())).counts;
  const progress = createProgress('rebuild', 'logs', context);
  await store.transaction((tx) =>
    rebuildGraph(tx, now(), (done) => progress.update(done, logs === 0 ? undefined : done / logs)),
  );
  progress.end();
  stdout.write(`rebuilt the graph from ${logs} logs\n`);
}
