import type { ChainLog } from '../protocol/decode-log.ts';
import type { Hex } from '../protocol/hex.ts';
import { OperatorError } from '../protocol/operator-error.ts';
import type { BlockHeader, ChainNode } from '../rpc/chain-node.ts';
import { isFull } from './bloom.ts';
import type { ChainHeads, ChainState } from './chain-state.ts';
import { type BlockRef, findFork, type LinkedBlock } from './find-fork.ts';

/** A reorganisation went below what we remember: what was stored as final was not. */
export class DeepReorgError extends OperatorError {
  override name = 'DeepReorgError';
  readonly code = 'E_DEEP_REORG';
}

export interface FollowOptions {
  readonly node: ChainNode;
  readonly state: ChainState;
  readonly mayHaveLogs: (bloom: Hex) => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onBlock: (block: BlockHeader, logs: number) => void;
  readonly onReorg: (depth: number, removed: number) => void;
}

/** How often an empty answer is doubted when the bloom filter speaks against it. */
const DOUBTS = 3;
/** The same for a filter that has more bits set than not: it speaks against most answers. */
const DOUBTS_OF_FULL = 1;
const DOUBT_MS = 250;

/** Takes in block after block until the node has no more. The cursor must be at the last final block or above. */
export async function followHead(options: FollowOptions, chain: ChainHeads): Promise<void> {
  const { node, state } = options;
  let stored = false;
  for (;;) {
    const cursor = await state.readCursor();
    if (cursor === null) throw new Error('followHead needs a cursor');
    const isAhead = chain.head.number > cursor.number;
    // The head that we were told of may have been orphaned while we came up to it: the next poll judges a new one.
    if (!isAhead && stored) return;
    const block = isAhead ? await node.fetchBlock(cursor.number + 1) : chain.head;
    // A node behind the one that told of the head: there is time until the next poll.
    if (block === null) return;
    if (isAhead && block.parentHash === cursor.hash) {
      const logs = await fetchTrustedLogs(options, block);
      await state.storeBlock(logs, block, chain);
      options.onBlock(block, logs.length);
      stored = true;
      continue;
    }
    if (!(await leaveOrphans(options, block))) return;
  }
}

/**
 * Whether our last block is still of the chain: ranges do not tell what they stand on, so this has to be seen before
 * any is asked for. Where it is not, what is orphaned is taken back, and there is more to look at.
 */
export async function checkCursor(options: FollowOptions, cursor: BlockRef): Promise<boolean> {
  const block = await options.node.fetchBlock(cursor.number);
  if (block?.hash === cursor.hash) return true;
  if (block !== null) await leaveOrphans(options, block);
  return false;
}

/** Rewinds to where `block`'s branch leaves ours. False when it does not, or when it cannot be told yet. */
async function leaveOrphans({ node, state, onReorg }: FollowOptions, block: BlockHeader): Promise<boolean> {
  const recent = await state.readRecent();
  const [oldest] = recent;
  const newest = recent.at(-1);
  // A head below all that we hold is a node that lags, not a reorganisation.
  if (oldest === undefined || newest === undefined || block.number < oldest.number) return false;
  if (recent.some(({ number, hash }) => number === block.number && hash === block.hash)) return false;
  const branch: BlockHeader[] = [block];
  for (;;) {
    const fork = findFork(recent, branch satisfies LinkedBlock[]);
    switch (fork.kind) {
      case 'found': {
        const forkBlock = await node.fetchBlockByHash(fork.at.hash as Hex);
        if (forkBlock === null) return false;
        const removed = await state.rewind(fork.at, forkBlock.time);
        onReorg(newest.number - fork.at.number, removed);
        return true;
      }
      case 'too-deep':
        throw new DeepReorgError(
          `chain ${node.chainId}: the chain has been reorganised below block ${oldest.number}, which was final; nothing has been changed, but indexing cannot go on: check the node, or start again with an empty database`,
        );
      case 'older': {
        const parent = await node.fetchBlockByHash((branch.at(-1) ?? block).parentHash);
        if (parent === null) return false;
        branch.push(parent);
      }
    }
  }
}

/** An empty answer that the block's own filter contradicts is asked for again, not believed. */
async function fetchTrustedLogs({ node, mayHaveLogs, sleep }: FollowOptions, block: BlockHeader): Promise<ChainLog[]> {
  let logs = await node.fetchLogs(block);
  const doubts = isFull(block.logsBloom) ? DOUBTS_OF_FULL : DOUBTS;
  for (let doubt = 0; doubt < doubts && logs.length === 0 && mayHaveLogs(block.logsBloom); doubt++) {
    await sleep(DOUBT_MS * 2 ** doubt);
    logs = await node.fetchLogs(block);
  }
  return logs;
}
