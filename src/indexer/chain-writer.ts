import { settleAll } from '../async/settle-all.ts';
import type { UnixMs } from '../async/unix-time.ts';
import { decodeLogs } from '../ingest/ingest-logs.ts';
import type { LogLoader } from '../ingest/load-logs.ts';
import { type Rewound, rewindChain } from '../ingest/rewind.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import type { BlockHeader, ChainHeads } from '../rpc/chain-node.ts';
import type { Transaction } from '../store/store.ts';
import type { BlockEvent, ChainFault, RangeEvent, ReorgEvent } from './chain-event.ts';

/** Writes the events of one chain. Data and cursor commit together, in the caller's transaction. */
export interface ChainWriter {
  readonly chainId: number;
  storeRange(tx: Transaction, event: Omit<RangeEvent, 'kind'>): Promise<void>;
  storeBlock(tx: Transaction, event: Omit<BlockEvent, 'kind'>): Promise<void>;
  /** Removes the logs above the fork and moves the cursor back to it. */
  rewind(tx: Transaction, event: Pick<ReorgEvent, 'fork' | 'time'>): Promise<Rewound>;
  /** Records the heads of the chain, from which the lag of the indexer is computed. */
  writeHeads(tx: Transaction, heads: ChainHeads): Promise<void>;
  /** Stores why the chain is not being indexed, or removes that if it is null. */
  writeFault(tx: Transaction, fault: ChainFault | null): Promise<void>;
}

export interface ChainWriterOptions {
  readonly chainId: number;
  readonly roleOf: RoleOf;
  /** One loader for all chains. */
  readonly loader: LogLoader;
  readonly now: () => UnixMs;
}

export function createChainWriter({ chainId, roleOf, loader, now }: ChainWriterOptions): ChainWriter {
  /** A node that lags, or lies, must not make final blocks uncertain again. */
  const headsRow = async (tx: Transaction, { head, finalized }: ChainHeads) => {
    const [stored] = await tx.readBy('cursors', 'chain_id', [chainId]);
    const finalized_number = Math.max(stored?.finalized_number ?? 0, finalized);
    return { head_number: head.number, head_time: head.time, finalized_number, checked_at: now() };
  };
  /** Moves the cursor to a block and deletes the recent blocks below `oldest`. */
  const moveCursor = async (tx: Transaction, block: BlockHeader, heads: ChainHeads, oldest: number) => {
    const { number, hash, time } = block;
    const row = await headsRow(tx, heads);
    row.head_number = Math.max(row.head_number, number);
    row.head_time = Math.max(row.head_time, time);
    const cursor = { chain_id: chainId, number, hash, time, ...row };
    await settleAll([
      tx.upsert('cursors', [cursor]),
      tx.upsert('recent_blocks', [{ chain_id: chainId, number, hash }]),
      deleteRecent(tx, '<', oldest),
    ]);
  };
  const deleteRecent = (tx: Transaction, operator: '<' | '>', number: number) =>
    tx.execute((db) =>
      db.deleteFrom('recent_blocks').where('chain_id', '=', chainId).where('number', operator, number),
    );

  return {
    chainId,
    async storeRange(tx, { logs, last, heads, rangeSize }) {
      await loader.load(tx, decodeLogs(roleOf, logs));
      await tx.upsert('state', [{ key: `range_size_${chainId}`, value: rangeSize }]);
      await moveCursor(tx, last, heads, last.number);
    },
    async storeBlock(tx, { logs, block, heads }) {
      // The last final block is kept: no fork can lie below it.
      await moveCursor(tx, block, heads, Math.min(heads.finalized, block.number));
      if (logs.length > 0) await loader.load(tx, decodeLogs(roleOf, logs));
    },
    async rewind(tx, { fork, time }) {
      const rewound = await rewindChain(tx, chainId, fork.number, now());
      await deleteRecent(tx, '>', fork.number);
      await tx.patch('cursors', ['number', 'hash', 'time'], [{ chain_id: chainId, ...fork, time }]);
      return rewound;
    },
    async writeHeads(tx, heads) {
      const row = { chain_id: chainId, ...(await headsRow(tx, heads)) };
      await tx.patch('cursors', ['head_number', 'head_time', 'finalized_number', 'checked_at'], [row]);
    },
    async writeFault(tx, fault) {
      if (fault === null) return tx.remove('chain_faults', [{ chain_id: chainId }]);
      const [known] = await tx.readBy('chain_faults', 'chain_id', [chainId]);
      const since = known?.code === fault.code ? known.since : now();
      await tx.upsert('chain_faults', [{ chain_id: chainId, ...fault, since }]);
    },
  };
}
