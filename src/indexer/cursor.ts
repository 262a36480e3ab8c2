import { rewindChain } from '../ingest/rewind.ts';
import type { Deployment } from '../protocol/deployments.ts';
import { param } from '../store/params.ts';
import type { Row } from '../store/schema.ts';
import { readState } from '../store/state.ts';
import { statement } from '../store/statement.ts';
import type { Reader, Transaction } from '../store/store.ts';
import { rewindAdded } from './added-contracts.ts';
import { claimChain } from './claim-chain.ts';
import { CursorMovedError, describeBlock } from './cursor-moved-error.ts';
import type { BlockRef } from './reorg.ts';

const CHAIN_ID = param<number>('chainId');
const CURSOR = statement<{ chainId: number }, Row<'cursors'>>((db) =>
  db.selectFrom('cursors').selectAll().where('chain_id', '=', CHAIN_ID),
);
const RECENT = statement<{ chainId: number }, BlockRef>((db) =>
  db.selectFrom('recent_blocks').select(['number', 'hash']).where('chain_id', '=', CHAIN_ID).orderBy('number'),
);

/** Reads the position of the indexer on one chain, without a write lock. */
export function createChainCursor(reader: Reader, chainId: number) {
  return {
    readCursor: async () => (await reader.all(CURSOR, { chainId }))[0] ?? null,
    /** The recent blocks: consecutive heights that end at the cursor, or its block and a final one after a snapshot. */
    readRecent: () => reader.all(RECENT, { chainId }),
    /** The range size of an earlier backfill, if there was one. */
    readRangeSize: async () => (await readState(reader))(`range_size_${chainId}`) || null,
  };
}

/**
 * Moves the cursor of a chain if it is still at `expected`, or if there is none and `expected` is null. What is written
 * in the same transaction then continues what is stored.
 */
export async function moveCursor(tx: Transaction, expected: BlockRef | null, next: Row<'cursors'>): Promise<void> {
  const [stored] = await tx.readBy('cursors', 'chain_id', [next.chain_id]);
  if (stored?.number !== expected?.number || stored?.hash !== expected?.hash)
    throw new CursorMovedError(next.chain_id, expected === null ? 'none' : describeBlock(expected), stored);
  await tx.upsert('cursors', [next]);
}

/** Throws unless the blocks of a chain are stored up to `block`. */
export async function requireStored(tx: Transaction, chainId: number, block: number): Promise<void> {
  const [stored] = await tx.readBy('cursors', 'chain_id', [chainId]);
  if (stored === undefined || stored.number < block)
    throw new CursorMovedError(chainId, `block ${block} or a later one`, stored);
}

/** Where another indexer was on a chain. */
export interface Continuation extends BlockRef {
  readonly chainId: number;
  /** Unix seconds. */
  readonly time: number;
  readonly startBlock: number;
  /** A block that was final. If a reorg has removed the last one, the indexer goes back to it. */
  readonly final: BlockRef;
}

/** Makes the indexer go on after the last block of a chain, whose logs are stored and whose cursor is not. */
export async function continueFrom(tx: Transaction, deployment: Deployment, chain: Continuation): Promise<void> {
  const { chainId, number, hash, time, startBlock, final } = chain;
  await claimChain(tx, { chainId, deployment, startBlock });
  // The head as of the time of its block, so that the lag is the age of the last block until a node is asked.
  const heads = { head_number: number, head_time: time, finalized_number: final.number, checked_at: time * 1000 };
  await moveCursor(tx, null, { chain_id: chainId, number, hash, time, ...heads });
  const recent = final.number === number ? [final] : [final, { number, hash }];
  await tx.insert(
    'recent_blocks',
    recent.map((block) => ({ chain_id: chainId, number: block.number, hash: block.hash })),
  );
}

/**
 * Removes the logs above a block of an indexed chain, final or not, and moves the cursor to the last block with logs that
 * is left: it is the only kind whose hash is known for certain. Returns the number of removed logs and the block of the
 * cursor, which is null if the indexer goes on from the start block. Null if the chain is not indexed that far.
 */
export async function rewindTo(
  tx: Transaction,
  chainId: number,
  block: number,
): Promise<{ block: number | null; removed: number } | null> {
  const [cursor] = await tx.readBy('cursors', 'chain_id', [chainId]);
  if (cursor === undefined || cursor.number <= block) return null;
  const removed = await rewindChain(tx, chainId, block);
  await tx.execute((db) => db.deleteFrom('recent_blocks').where('chain_id', '=', chainId));
  await tx.remove('chain_faults', [{ chain_id: chainId }]);
  await rewindAdded(tx, chainId, block);
  const [last] = await tx.readBy('chains', 'chain_id', [chainId]);
  if (last === undefined) {
    await tx.remove('cursors', [{ chain_id: chainId }]);
    return { block: null, removed };
  }
  const { block_number: number, block_hash: hash, block_time: time } = last;
  await moveCursor(tx, cursor, { ...cursor, number, hash, time, finalized_number: number });
  await tx.insert('recent_blocks', [{ chain_id: chainId, number, hash }]);
  return { block: number, removed };
}
