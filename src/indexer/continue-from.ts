import type { Deployment } from '../protocol/deployments.ts';
import type { Transaction } from '../store/store.ts';
import { claimChain } from './claim-chain.ts';
import type { BlockRef } from './find-fork.ts';

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
  await tx.insert('cursors', [{ chain_id: chainId, number, hash, time, ...heads }]);
  const recent = final.number === number ? [final] : [final, { number, hash }];
  await tx.insert(
    'recent_blocks',
    recent.map((block) => ({ chain_id: chainId, number: block.number, hash: block.hash })),
  );
}
