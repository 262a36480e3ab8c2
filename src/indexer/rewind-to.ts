import { rewindChain } from '../ingest/rewind.ts';
import type { Transaction } from '../store/store.ts';

/**
 * Removes the logs above a block of an indexed chain, final or not, and moves the cursor to the last block with logs that
 * is left: it is the only kind whose hash is known for certain. Returns the number of removed logs and the block of the
 * cursor, which is null if the indexer goes on from the start block. Null if the chain is not indexed that far.
 */
export async function rewindTo(
  tx: Transaction,
  chainId: number,
  block: number,
  now: number,
): Promise<{ block: number | null; removed: number } | null> {
  const [cursor] = await tx.readBy('cursors', 'chain_id', [chainId]);
  if (cursor === undefined || cursor.number <= block) return null;
  const { removed } = await rewindChain(tx, chainId, block, now);
  await tx.execute((db) => db.deleteFrom('recent_blocks').where('chain_id', '=', chainId));
  await tx.remove('chain_faults', [{ chain_id: chainId }]);
  const [last] = await tx.readBy('chains', 'chain_id', [chainId]);
  if (last === undefined) {
    await tx.remove('cursors', [{ chain_id: chainId }]);
    return { block: null, removed };
  }
  const { block_number: number, block_hash: hash, block_time: time } = last;
  await tx.upsert('cursors', [{ ...cursor, number, hash, time, finalized_number: number }]);
  await tx.insert('recent_blocks', [{ chain_id: chainId, number, hash }]);
  return { block: number, removed };
}
