import { OperatorError } from '../errors/operator-error.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import type { Hex } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { BlockHeader, ChainHeads, ChainNode } from '../rpc/chain-node.ts';
import { isFull } from './bloom.ts';
import type { ChainCursor } from './chain-cursor.ts';
import type { BlockEvent, ReorgEvent } from './chain-event.ts';
import { type BlockRef, findFork, type LinkedBlock } from './find-fork.ts';

/** A reorg below the last block that was stored as final. */
export class DeepReorgError extends OperatorError {
  readonly code = 'E_DEEP_REORG';
}

export interface FollowOptions {
  readonly node: ChainNode;
  readonly cursor: ChainCursor;
  readonly mayHaveLogs: (bloom: Hex) => boolean;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Retries of an empty eth_getLogs response that the block's logsBloom contradicts. */
const EMPTY_LOGS_RETRIES = 3;
/** The same for a filter with most bits set, where false positives are the rule. */
const EMPTY_LOGS_RETRIES_FULL_BLOOM = 1;
const EMPTY_LOGS_RETRY_MS = 250;
/** A load balancer has replaced a bad backend, or a node has finished a restart, after about this time. */
const CONFIRM_MS = 1_000;

/** Yields block after block until the node has no more. The cursor must be at the last final block or above. */
export async function* followHead(options: FollowOptions, heads: ChainHeads): AsyncGenerator<BlockEvent | ReorgEvent> {
  let stored = false;
  for (;;) {
    const cursor = await options.cursor.readCursor();
    if (cursor === null) throw new Error('followHead needs a cursor');
    const isAhead = heads.head.number > cursor.number;
    // The head may have been orphaned since it was read: the next poll compares with a new one.
    if (!isAhead && stored) return;
    const block = isAhead ? await options.node.fetchBlock(cursor.number + 1) : heads.head;
    // This node lags behind the one that reported the head: wait for the next poll.
    if (block === null) return;
    if (isAhead && block.parentHash === cursor.hash) {
      const logs = await fetchTrustedLogs(options, block);
      yield { kind: 'block', logs, block, heads };
      stored = true;
      continue;
    }
    const reorg = await findReorg(options, block);
    if (reorg === null) return;
    yield reorg;
  }
}

/**
 * Finds where the branch of `block` leaves the indexed one. Null if it does not, or if a block that is needed cannot be
 * fetched. Rejects if it leaves below the final block.
 */
export async function findReorg(options: FollowOptions, block: BlockHeader): Promise<ReorgEvent | null> {
  const { node, cursor } = options;
  const recent = await cursor.readRecent();
  const [oldest] = recent;
  const newest = recent.at(-1);
  // A head below all recent blocks is a lagging node, not a reorg.
  if (oldest === undefined || newest === undefined || block.number < oldest.number) return null;
  if (recent.some(({ number, hash }) => number === block.number && hash === block.hash)) return null;
  const branch: BlockHeader[] = [block];
  for (;;) {
    const fork = findFork(recent, branch satisfies LinkedBlock[]);
    switch (fork.kind) {
      case 'found': {
        const forkBlock = await node.fetchBlockByHash(fork.at.hash as Hex, fork.at.number);
        if (forkBlock === null) return null;
        return { kind: 'reorg', fork: fork.at, time: forkBlock.time, depth: newest.number - fork.at.number };
      }
      case 'too-deep':
        if (!(await isReplaced(options, oldest))) {
          const message = `the nodes disagree about block ${oldest.number}, which is final`;
          throw new RemoteError(`chain ${node.chainId}`, 'eth_getBlockByNumber', { kind: 'malformed', message });
        }
        throw new DeepReorgError(
          `chain ${node.chainId}: reorg below block ${oldest.number}, which was final; nothing was changed, but indexing cannot continue: check the node, or remove the replaced blocks with kith rewind`,
        );
      case 'older': {
        const child = branch.at(-1) ?? block;
        // The number goes down by one each time, so the walk ends at the oldest recent block.
        const parent = await node.fetchBlockByHash(child.parentHash, child.number - 1);
        if (parent === null) return null;
        branch.push(parent);
        break;
      }
      default:
        fork satisfies never;
    }
  }
}

/** Asks all nodes again whether a final block was replaced: one wrong answer must not stop the chain. */
async function isReplaced({ node, sleep }: FollowOptions, { number, hash }: BlockRef): Promise<boolean> {
  await sleep(CONFIRM_MS);
  const hashes = await node.fetchHashes(number);
  return hashes.length > 0 && !hashes.some((known) => known === hash);
}

/** Retries an empty response that the block's bloom filter contradicts. */
async function fetchTrustedLogs({ node, mayHaveLogs, sleep }: FollowOptions, block: BlockHeader): Promise<ChainLog[]> {
  let logs = await node.fetchLogs(block);
  const retries = isFull(block.logsBloom) ? EMPTY_LOGS_RETRIES_FULL_BLOOM : EMPTY_LOGS_RETRIES;
  for (let retry = 0; retry < retries && logs.length === 0 && mayHaveLogs(block.logsBloom); retry++) {
    await sleep(EMPTY_LOGS_RETRY_MS * 2 ** retry);
    logs = await node.fetchLogs(block);
  }
  return logs;
}
