import { IGNORED_PART } from '../protocol/decode-log.ts';
import { markLogs, nameSubjects, readLogsState } from '../rows/stored-log.ts';
import type { Transaction } from '../store/store.ts';
import { applyChange } from './apply-change.ts';
import { rebuildGraph } from './rebuild/rebuild-graph.ts';

/** Takes back every log of a chain above a block, and tells how many there were. */
export async function rewindChain(tx: Transaction, chainId: number, block: number, now: number): Promise<number> {
  const removed = await tx.query((db) =>
    db.selectFrom('logs').selectAll().where('chain_id', '=', chainId).where('block_number', '>', block),
  );
  await tx.remove('logs', removed);
  await tx.execute((db) => db.deleteFrom('blocks').where('chain_id', '=', chainId).where('number', '>', block));
  const ignored = removed.filter((row) => row.part === IGNORED_PART).length;
  await tx.count({ logs: -removed.length, ignored_ops: -ignored });
  await lowerHighest(tx, chainId);
  if (removed.length === 0) return 0;
  await markLogs(tx);
  const { unfolded } = await readLogsState(tx);
  // A graph that is behind the logs cannot be told apart from what it would be without these.
  if (unfolded > 0) await rebuildGraph(tx, now);
  else await applyChange(tx, { added: [], removed: await nameSubjects(tx, removed) });
  return removed.length;
}

async function lowerHighest(tx: Transaction, chainId: number): Promise<void> {
  const [highest] = await tx.query((db) =>
    db.selectFrom('blocks').selectAll().where('chain_id', '=', chainId).orderBy('number', 'desc').limit(1),
  );
  if (highest === undefined) await tx.remove('chains', [{ chain_id: chainId }]);
  else {
    const { chain_id, number, hash, time } = highest;
    await tx.upsert('chains', [{ chain_id, block_number: number, block_hash: hash, block_time: time }]);
  }
}
