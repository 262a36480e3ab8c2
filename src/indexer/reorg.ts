import { OperatorError } from '../errors/operator-error.ts';
import type { Hex } from '../protocol/hex.ts';
import { type ChainNode, contradicted } from '../rpc/chain-node.ts';
import type { BlockHeader } from '../rpc/check-logs.ts';

export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

export interface LinkedBlock extends BlockRef {
  readonly parentHash: string;
}

export type Fork =
  /** The highest common block of both branches. */
  | { readonly kind: 'found'; readonly at: BlockRef }
  /** Below the given blocks: the parent of the oldest one is needed. */
  | { readonly kind: 'older' }
  /** Below all recent blocks. */
  | { readonly kind: 'too-deep' };

/**
 * Finds the fork between the indexed branch and the canonical one. `ours` are recent indexed blocks, which need not be
 * consecutive; `canonical` are blocks of the other branch, newest first, each the parent of the one before.
 */
export function findFork(ours: readonly BlockRef[], canonical: readonly LinkedBlock[]): Fork {
  const hashes = new Map(ours.map((block) => [block.number, block.hash]));
  const oldest = Math.min(...hashes.keys());
  for (const block of canonical) {
    if (hashes.get(block.number) === block.hash)
      return { kind: 'found', at: { number: block.number, hash: block.hash } };
    const parent = { number: block.number - 1, hash: block.parentHash };
    if (hashes.get(parent.number) === parent.hash) return { kind: 'found', at: parent };
    if (parent.number <= oldest) return { kind: 'too-deep' };
  }
  return { kind: 'older' };
}

/** A reorg below the last block that was stored as final. */
export class DeepReorgError extends OperatorError {
  readonly code = 'E_DEEP_REORG';
}

/** The blocks above `fork` up to `last` were orphaned. */
export interface Reorg {
  readonly last: BlockRef;
  readonly fork: BlockRef;
  /** Of the fork block, in Unix seconds. */
  readonly time: number;
}

export interface ReorgOptions {
  readonly node: ChainNode;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A load balancer has replaced a bad backend, or a node has finished a restart, after about this time. */
const CONFIRM_MS = 1_000;

/**
 * Finds where the branch of `block` leaves the indexed one, whose recent blocks are given. Null if it does not, or if a
 * block that is needed cannot be fetched. Rejects if it leaves below the final block.
 */
export async function findReorg(
  options: ReorgOptions,
  recent: readonly BlockRef[],
  block: BlockHeader,
): Promise<Reorg | null> {
  const { node } = options;
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
        await node.requireShared(block);
        const forkBlock = await node.fetchBlockByHash(fork.at.hash as Hex, fork.at.number);
        if (forkBlock === null) return null;
        return { last: newest, fork: fork.at, time: forkBlock.time };
      }
      case 'too-deep':
        if (!(await isReplaced(options, oldest)))
          throw contradicted(node, `the nodes disagree about block ${oldest.number}, which is final`);
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
async function isReplaced({ node, sleep }: ReorgOptions, { number, hash }: BlockRef): Promise<boolean> {
  await sleep(CONFIRM_MS);
  const hashes = await node.fetchHashes(number);
  return hashes.length > 0 && !hashes.some((known) => known === hash);
}
