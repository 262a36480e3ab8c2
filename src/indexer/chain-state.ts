import { settleAll } from '../async/batches.ts';
import { decodeLogs } from '../ingest/ingest-logs.ts';
import type { LogLoader } from '../ingest/load-logs.ts';
import { rewindChain } from '../ingest/rewind.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import type { BlockHeader } from '../rpc/chain-node.ts';
import type { Row } from '../store/schema.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { BlockRef } from './find-fork.ts';

/** What the indexer keeps about one chain. Data and cursor always commit together. */
export interface ChainState {
  readCursor(): Promise<Row<'cursors'> | null>;
  /** The recent blocks, a run of heights that ends at the cursor. */
  readRecent(): Promise<BlockRef[]>;
  /** Logs of final blocks, complete up to `last`. */
  storeRange(logs: readonly ChainLog[], last: BlockHeader, chain: ChainHeads): Promise<void>;
  /** One block on top of the cursor. */
  storeBlock(logs: readonly ChainLog[], block: BlockHeader, chain: ChainHeads): Promise<void>;
  /** Goes back to `fork`; tells how many logs were taken back. */
  rewind(fork: BlockRef, time: number): Promise<number>;
  /** Notes how the chain itself stands, so that others can see how far behind we are. */
  noteHeads(chain: ChainHeads): Promise<void>;
}

export interface ChainHeads {
  readonly head: BlockHeader;
  readonly finalized: number;
}

export interface ChainStateOptions {
  readonly chainId: number;
  readonly store: Store;
  readonly roleOf: RoleOf;
  /** One for all chains. */
  readonly loader: LogLoader;
  /** A transaction that is refused when somebody else has become the indexer. */
  readonly write: Store['transaction'];
  /** Whether the bulk of a chain is coming in: then the graph is finished at its end, not with every block. */
  readonly isLoading: () => boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export function createChainState(options: ChainStateOptions): ChainState {
  const { chainId, store, roleOf, loader, write, isLoading, now } = options;
  /** Puts the cursor on a block, and forgets the recent blocks before `oldest`. */
  const moveTo = async (tx: Transaction, block: BlockHeader, { head, finalized }: ChainHeads, oldest: number) => {
    const { number, hash, time } = block;
    const cursor = {
      chain_id: chainId,
      number,
      hash,
      time,
      head_number: Math.max(head.number, number),
      head_time: Math.max(head.time, time),
      finalized_number: finalized,
      checked_at: now(),
    };
    await settleAll([
      tx.upsert('cursors', [cursor]),
      tx.upsert('recent_blocks', [{ chain_id: chainId, number, hash }]),
      forget(tx, '<', oldest),
    ]);
  };
  const forget = (tx: Transaction, operator: '<' | '>', number: number) =>
    tx.execute((db) =>
      db.deleteFrom('recent_blocks').where('chain_id', '=', chainId).where('number', operator, number),
    );

  return {
    async readCursor() {
      const [cursor] = await store.transaction((tx) => tx.read('cursors', ['chain_id'], [[chainId]]));
      return cursor ?? null;
    },
    async readRecent() {
      const rows = await store.transaction((tx) => tx.read('recent_blocks', ['chain_id'], [[chainId]]));
      return rows.map(({ number, hash }) => ({ number, hash })).sort((a, b) => a.number - b.number);
    },
    storeRange: (logs, last, chain) =>
      write(async (tx) => {
        await loader.load(tx, decodeLogs(roleOf, logs));
        await moveTo(tx, last, chain, last.number);
        if (await loader.isFoldDue(tx)) await loader.fold(tx);
      }),
    storeBlock: (logs, block, chain) =>
      write(async (tx) => {
        // The last final block stays, as the ground that a fork cannot lie below.
        await moveTo(tx, block, chain, Math.min(chain.finalized, block.number));
        // Most blocks have nothing for us.
        if (logs.length === 0) return;
        await loader.load(tx, decodeLogs(roleOf, logs));
        if (!isLoading()) await loader.finish(tx);
      }),
    rewind: (fork, time) =>
      write(async (tx) => {
        const removed = await rewindChain(tx, chainId, fork.number, now());
        await forget(tx, '>', fork.number);
        await tx.patch('cursors', ['number', 'hash', 'time'], [{ chain_id: chainId, ...fork, time }]);
        return removed;
      }),
    noteHeads: ({ head, finalized }) =>
      write((tx) =>
        tx.patch(
          'cursors',
          ['head_number', 'head_time', 'finalized_number', 'checked_at'],
          [
            {
              chain_id: chainId,
              head_number: head.number,
              head_time: head.time,
              finalized_number: finalized,
              checked_at: now(),
            },
          ],
        ),
      ),
  };
}
