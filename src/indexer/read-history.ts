import type { Logger } from 'pino';
import type { MonotonicMs } from '../async/unix-time.ts';
import type { Address } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { ChainHeads, ChainNode } from '../rpc/chain-node.ts';
import { type BackfillOptions, backfill, type FetchedBlocks } from './backfill.ts';
import type { IndexedChain } from './indexed-chain.ts';

export interface HistoryOptions extends Omit<BackfillOptions, 'node'> {
  readonly chain: Pick<IndexedChain, 'chainId' | 'readIncomplete' | 'storeHistory'>;
  /** Reads the logs of these contracts only. */
  readonly nodeOf: (contracts: readonly Address[]) => ChainNode;
  readonly logger: Logger;
}

/** A node that has no old logs still has the new blocks: it is asked again after this time. */
const RETRY_MS = 60_000;

/**
 * Reads the final blocks that the cursor of a chain had passed when a contract was added. Each call stores one part, so
 * that new blocks are read in between, and returns whether there is more to read now.
 */
export function createHistoryReader({ chain, nodeOf, logger, ...options }: HistoryOptions) {
  let retryAt: MonotonicMs = Number.NEGATIVE_INFINITY;
  /** The requests that are under way go on between two calls. */
  let reading: { readonly address: string; number: number; readonly blocks: AsyncGenerator<FetchedBlocks> } | null =
    null;
  return async ({ finalized }: ChainHeads): Promise<boolean> => {
    if (options.now() < retryAt) return false;
    const incomplete = (await chain.readIncomplete()).filter(({ number }) => number < finalized);
    const [next] = incomplete;
    if (next === undefined) return false;
    const { address, number, target } = next;
    if (reading?.address !== address || reading.number !== number) {
      const range = { from: number + 1, to: Math.min(target, finalized), after: null };
      // Safe: the address of a contract.
      reading = { address, number, blocks: backfill({ ...options, node: nodeOf([address as Address]) }, range) };
    }
    const { blocks } = reading;
    const current = reading;
    reading = null;
    const part = await blocks.next().catch((error: unknown) => {
      if (!(error instanceof RemoteError)) throw error;
      retryAt = options.now() + RETRY_MS;
      const reason = error.message;
      logger.warn({ chain: chain.chainId, address, reason }, 'the history of a contract cannot be read, retrying');
      return null;
    });
    if (part === null) return false;
    if (part.done) return true;
    const { logs, last } = part.value;
    await chain.storeHistory({ address, afterBlock: number, logs, last });
    reading = { ...current, number: last.number };
    if (last.number >= target) logger.info({ chain: chain.chainId, address }, 'the history of a contract was read');
    return last.number < target || incomplete.length > 1;
  };
}
