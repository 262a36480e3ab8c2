import { computeRanks } from '../../ranks/compute-ranks.ts';
import { readLogsState } from '../../rows/stored-log.ts';
import { type Store, StoreUnavailableError } from '../../store/store.ts';
import { rebuildGraph } from './rebuild-graph.ts';

/** Of a minute each on SQLite. */
const MAX_ATTEMPTS = 20;

/**
 * Recomputes what a migration has invalidated: it sets `ranks_graph_version` to -1, and `unfolded_logs` to the number
 * of logs where the graph has to be rebuilt too. A migration itself is SQL and cannot fold logs.
 */
export async function finishMigration(
  { reader, transaction }: Store,
  now: number,
  onStart: () => void = () => undefined,
): Promise<void> {
  const readVersion = reader.prepareColumn<object, number>((db) =>
    db.selectFrom('state').select('value').where('key', '=', 'ranks_graph_version'),
  );
  const isDone = (version = 0) => version >= 0;
  for (let attempt = 1; !isDone((await readVersion({}))[0]); attempt += 1) {
    if (attempt === 1) onStart();
    try {
      await transaction(async (tx) => {
        // Another process may have finished while this one waited for the write lock.
        const [state] = await tx.read('state', ['key'], [['ranks_graph_version']]);
        if (isDone(state?.value)) return;
        const { unfolded } = await readLogsState(tx);
        if (unfolded > 0) await rebuildGraph(tx, now);
        else await computeRanks(tx, now);
      });
    } catch (error) {
      // The process that rebuilds a large graph holds the write lock for longer than SQLite waits for it.
      if (!(error instanceof StoreUnavailableError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
