import type { Logger } from 'pino';
import { RemoteError } from '../remote/remote-error.ts';
import type { BlockHeader, ChainNode } from '../rpc/chain-node.ts';
import { backfill } from './backfill.ts';
import type { ChainHeads, ChainState } from './chain-state.ts';
import { checkCursor, type FollowOptions, followHead } from './follow-head.ts';
import { createRangeSize, type RangeSize } from './range-size.ts';

export interface IndexChainOptions {
  readonly node: ChainNode;
  readonly state: ChainState;
  readonly startBlock: number;
  readonly pollMs: number;
  readonly mayHaveLogs: FollowOptions['mayHaveLogs'];
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly logger: Logger;
  readonly events: IndexEvents;
}

/** What others want to know of one chain's indexing. */
export interface IndexEvents {
  onBackfill(from: number, to: number): void;
  onRange(last: BlockHeader, logs: number): void;
  /** The last range is in. */
  onBackfillEnd(): Promise<void>;
  onBlock(block: BlockHeader, logs: number): void;
  onReorg(depth: number, removed: number): void;
}

/** Follows one chain until `sleep` rejects, because the process is asked to end. */
export async function indexChain(options: IndexChainOptions): Promise<never> {
  const { pollMs, sleep, logger, node } = options;
  const size = createRangeSize();
  for (;;) {
    try {
      await catchUp(options, size);
    } catch (error) {
      // Every node refused: nothing that is wrong here, and nothing to do but to ask again.
      if (!(error instanceof RemoteError)) throw error;
      logger.warn({ chain: node.chainId, err: error }, 'no node answers; trying again');
    }
    await sleep(pollMs);
  }
}

/** Final blocks in ranges, the rest one by one. */
async function catchUp(options: IndexChainOptions, size: RangeSize): Promise<void> {
  const { state, startBlock, events } = options;
  const chain = await fetchHeads(options.node);
  if (chain === null) return;
  const cursor = await state.readCursor();
  const next = cursor === null ? startBlock : cursor.number + 1;
  const follow = { ...options, ...events };
  if (next <= chain.finalized) {
    if (cursor !== null && !(await checkCursor(follow, cursor))) return;
    events.onBackfill(next, chain.finalized);
    await backfill({ ...options, size, onRange: events.onRange }, next, chain.finalized, chain);
    await events.onBackfillEnd();
  } else if (cursor === null) {
    // Nothing is final yet from where we start: wait until something is.
    return;
  }
  await followHead(follow, chain);
  await state.noteHeads(chain);
}

async function fetchHeads(node: ChainNode): Promise<ChainHeads | null> {
  const [head, finalized] = [await node.fetchBlock('latest'), await node.fetchBlock('finalized')];
  return head === null || finalized === null ? null : { head, finalized: Math.min(finalized.number, head.number) };
}
