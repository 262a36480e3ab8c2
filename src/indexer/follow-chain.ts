import { RemoteError } from '../remote/remote-error.ts';
import { backfill } from './backfill.ts';
import type { ChainEvent } from './chain-event.ts';
import { type FollowOptions, findReorg, followHead } from './follow-head.ts';
import { createRangeSize, type RangeSize } from './range-size.ts';

export interface FollowChainOptions extends FollowOptions {
  readonly startBlock: number;
  readonly pollMs: number;
  readonly now: () => number;
}

/** Polls one chain for new blocks until `sleep` rejects at shutdown. */
export async function* followChain(options: FollowChainOptions): AsyncGenerator<ChainEvent> {
  const size = createRangeSize(await options.cursor.readRangeSize());
  for (;;) {
    try {
      yield* catchUp(options, size);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      yield { kind: 'unavailable', error };
    }
    await options.sleep(options.pollMs);
  }
}

/** One poll: final blocks in ranges, the rest block by block. */
async function* catchUp(options: FollowChainOptions, size: RangeSize): AsyncGenerator<ChainEvent> {
  const { node, startBlock } = options;
  const waiting: ChainEvent = { kind: 'idle', heads: null };
  const heads = await node.fetchHeads();
  if (heads === null) return yield waiting;
  const cursor = await options.cursor.readCursor();
  const next = cursor === null ? startBlock : cursor.number + 1;
  if (next <= heads.finalized) {
    if (cursor !== null) {
      // A range does not contain its parent hash, so the cursor is verified first.
      const block = await node.fetchBlock(cursor.number);
      if (block?.hash !== cursor.hash) {
        const reorg = block === null ? null : await findReorg(options, block);
        if (reorg !== null) yield reorg;
        return yield waiting;
      }
    }
    yield { kind: 'backfill-start', from: next, to: heads.finalized };
    yield* backfill({ ...options, size }, next, heads.finalized, heads);
    yield { kind: 'backfill-end' };
  } else if (cursor === null) {
    // No block from the start block on is final yet.
    return yield waiting;
  }
  yield* followHead(options, heads);
  yield { kind: 'idle', heads };
}
