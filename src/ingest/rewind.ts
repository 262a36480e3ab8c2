import { Ids } from '../rows/ids.ts';
import { isIgnoredOp, isOp, nameLogs } from '../rows/stored-log.ts';
import type { Row } from '../store/schema.ts';
import { readState } from '../store/state.ts';
import type { Transaction } from '../store/store.ts';
import { applyChange } from './apply-change.ts';
import { rebuildGraph } from './rebuild/rebuild-graph.ts';

export interface Rewound {
  /** Number of removed logs. */
  readonly removed: number;
  /** The accounts that joined the leaderboard, if the graph had to be rebuilt and was ranked; else null. */
  readonly joined: readonly string[] | null;
}

/** Rolls back a chain: removes every log above a block. `now` is the time of a ranking, in Unix milliseconds. */
export async function rewindChain(tx: Transaction, chainId: number, block: number, now: number): Promise<Rewound> {
  const removed = await tx.query((db) =>
    db.selectFrom('logs').selectAll().where('chain_id', '=', chainId).where('block_number', '>', block),
  );
  await tx.execute((db) => db.deleteFrom('blocks').where('chain_id', '=', chainId).where('number', '>', block));
  return removeLogs(tx, chainId, removed, now);
}

/** Removes logs of a chain from the table and the graph. The caller has removed their blocks. */
export async function removeLogs(
  tx: Transaction,
  chainId: number,
  removed: readonly Row<'logs'>[],
  now: number,
): Promise<Rewound> {
  await tx.remove('logs', removed);
  await tx.count({ logs: -removed.length, ignored_ops: -removed.filter(isIgnoredOp).length });
  await lowerHighest(tx, chainId);
  if (removed.length === 0) return { removed: 0, joined: null };
  const numberOf = await readState(tx);
  // The graph lags behind the logs, so there is no previous state to diff against: rebuild it.
  if (numberOf('unfolded_logs') > 0) return { removed: removed.length, joined: await rebuildGraph(tx, now) };
  const ids = new Ids();
  await applyChange(tx, { added: [], removed: await nameLogs(tx, ids, removed) }, ids);
  await tx.count({ list_ops: -removed.filter(isOp).length });
  return { removed: removed.length, joined: null };
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
