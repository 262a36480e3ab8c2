import { Ids } from '../rows/ids.ts';
import { isIgnoredOp, isOp, nameLogs } from '../rows/stored-log.ts';
import { readState } from '../store/state.ts';
import type { Transaction } from '../store/store.ts';
import { applyChange } from './apply-change.ts';
import { type DecodedLogs, storeLogs } from './ingest-logs.ts';

/**
 * Rolls back a chain: removes every log above a block, and returns their number. While logs wait for a bulk fold, the
 * caller has to run it if there were any: it makes the graph from those that are left.
 */
export async function rewindChain(tx: Transaction, chainId: number, block: number): Promise<number> {
  const removed = await tx.query((db) =>
    db.selectFrom('logs').selectAll().where('chain_id', '=', chainId).where('block_number', '>', block),
  );
  await tx.execute((db) => db.deleteFrom('blocks').where('chain_id', '=', chainId).where('number', '>', block));
  await tx.remove('logs', removed);
  await tx.count({ logs: -removed.length, ignored_ops: -removed.filter(isIgnoredOp).length });
  await setHighest(tx, chainId);
  const numberOf = await readState(tx);
  if (removed.length === 0 || numberOf('unfolded_logs') > 0) return removed.length;
  const ids = new Ids();
  await applyChange(tx, { added: [], removed: await nameLogs(tx, ids, removed) }, ids);
  await tx.count({ list_ops: -removed.filter(isOp).length });
  return removed.length;
}

/** Finds the highest block of a chain that has a stored log. */
async function setHighest(tx: Transaction, chainId: number): Promise<void> {
  const [highest] = await tx.query((db) =>
    db.selectFrom('blocks').selectAll().where('chain_id', '=', chainId).orderBy('number', 'desc').limit(1),
  );
  if (highest === undefined) await tx.remove('chains', [{ chain_id: chainId }]);
  else {
    const { chain_id, number, hash, time } = highest;
    await tx.upsert('chains', [{ chain_id, block_number: number, block_hash: hash, block_time: time }]);
  }
}

/**
 * Replaces all stored logs of some blocks. The graph has to be rebuilt afterwards: nothing is known of the logs that it was
 * computed from. Until that is done, the logs count as unfolded.
 */
export async function replaceLogs(
  tx: Transaction,
  chainId: number,
  blocks: readonly number[],
  logs: DecodedLogs,
): Promise<void> {
  const keys = blocks.map((block) => [chainId, block]);
  await tx.remove('logs', await tx.read('logs', ['chain_id', 'block_number'], keys));
  await tx.remove(
    'blocks',
    blocks.map((number) => ({ chain_id: chainId, number })),
  );
  await storeLogs(tx, new Ids(), logs);
  await tx.count({ unfolded_logs: 1 });
}

/** Removes blocks without logs, and finds the highest block of each chain again. */
export async function repairBlocks(tx: Transaction): Promise<void> {
  await tx.execute((db) =>
    db
      .deleteFrom('blocks')
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('logs')
              .select('log_index')
              .whereRef('logs.chain_id', '=', 'blocks.chain_id')
              .whereRef('logs.block_number', '=', 'blocks.number'),
          ),
        ),
      ),
  );
  const chains = await tx.query((db) =>
    db.selectFrom('blocks').select('chain_id').union(db.selectFrom('chains').select('chain_id')),
  );
  for (const { chain_id } of chains) await setHighest(tx, chain_id);
}
