import type { Logger } from 'pino';
import { settleAll } from '../async/settle-all.ts';
import { addSample, type Sample, secondsLeft } from '../async/time-left.ts';
import type { MonotonicMs, UnixMs } from '../async/unix-time.ts';
import type { OperatorError } from '../errors/operator-error.ts';
import { decodeLogs } from '../ingest/ingest-logs.ts';
import type { LogLoader } from '../ingest/load-logs.ts';
import { rewindChain } from '../ingest/rewind.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import type { RemoteError } from '../remote/remote-error.ts';
import type { ChainHeads } from '../rpc/chain-node.ts';
import type { BlockHeader } from '../rpc/check-logs.ts';
import { readIncomplete } from '../store/incomplete-contracts.ts';
import type { Store, Transaction } from '../store/store.ts';
import { advanceAdded, rewindAdded } from './added-contracts.ts';
import type { FetchedBlocks } from './backfill.ts';
import { createChainHealth } from './chain-health.ts';
import { createChainCursor, moveCursor } from './cursor.ts';
import { CursorMovedError } from './cursor-moved-error.ts';
import type { BlockRef, Reorg } from './reorg.ts';
import type { Counters } from './session.ts';

interface ProgressSink {
  update(block: number, logs: number, secondsLeft: number | null): void;
  end(): void;
}

export type IndexedChains = ReturnType<typeof createIndexedChains>;
export type IndexedChain = IndexedChains['chains'][number];

export interface IndexedChainsOptions {
  readonly chainIds: readonly number[];
  readonly roleOf: RoleOf;
  readonly reader: Store['reader'];
  /** A transaction that fails if this process no longer holds the indexer lock. */
  readonly write: Store['transaction'];
  readonly loader: LogLoader;
  readonly counters: Counters;
  readonly logger: Logger;
  readonly now: () => UnixMs;
  readonly monotonic: () => MonotonicMs;
  /** Called for every backfill. */
  readonly showProgress: (chainId: number, from: number, to: number) => ProgressSink;
  /**
   * Called in transactions that may fold in bulk, which also ranks. Takes the accounts that joined the leaderboard; null
   * if nothing was ranked.
   */
  readonly onRanked: (tx: Transaction, joined: readonly string[] | null) => Promise<void>;
  /** Whether to throw the error of the last chain that is stopped. */
  readonly endsWithChains: boolean;
}

interface Backfill {
  readonly progress: ProgressSink;
  readonly to: number;
  /** Of the last block that was read. */
  samples: readonly Sample[];
  logs: number;
  readAt: MonotonicMs;
  /** Whether nothing was read for `STALLED_MS`. */
  isStalled: boolean;
}

/** A chain of which nothing is read for this long does not delay the others: its nodes may be away for hours. */
const STALLED_MS = 30_000;

export function createIndexedChains(options: IndexedChainsOptions) {
  const { chainIds, reader, write, loader, counters, logger, now, monotonic, showProgress, onRanked } = options;
  /** By chain. Logs are folded when the last backfill ends or stalls. */
  const backfills = new Map<number, Backfill>();
  const health = createChainHealth({ chainIds, write, logger, now });
  const isLoading = () => [...backfills.values()].some(({ isStalled }) => !isStalled);
  const finishLoad = async (tx: Transaction) => onRanked(tx, await loader.finish(tx));
  const finishUnlessLoading = async (tx: Transaction) => (isLoading() ? undefined : finishLoad(tx));

  /** When the slowest backfill will end; 0 if that is unknown. */
  const loadEndsAt = () => {
    const left = [...backfills.values()].map(({ samples, to, isStalled }) =>
      isStalled ? null : secondsLeft(samples, to),
    );
    const longest = Math.max(...left.map((seconds) => seconds ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(longest) ? now() + longest * 1000 : 0;
  };

  /** What is stored of one chain. Each step of indexing it is one write, which is logged and shown. */
  const createChain = (chainId: number) => {
    const writer = createChainWriter(chainId, options);
    /** Nothing more to read until the next poll. */
    const endBackfill = async () => {
      backfills.get(chainId)?.progress.end();
      if (backfills.delete(chainId) && !isLoading()) await write(finishLoad);
    };
    return {
      chainId,
      ...createChainCursor(reader, chainId),
      /** The contracts whose earlier logs are not all stored. */
      readIncomplete: () => readIncomplete(reader, chainId),
      /** Earlier logs of an added contract. They are folded as those of new blocks are. */
      async storeHistory(blocks: HistoryBlocks) {
        await write(async (tx) => {
          await writer.storeHistory(tx, blocks);
          if (blocks.logs.length > 0) await finishUnlessLoading(tx);
        });
        await health.works(chainId);
      },
      /** A backfill of final blocks starts; its ranges follow. */
      startBackfill(from: number, to: number) {
        // An outage interrupts a backfill without ending it.
        backfills.get(chainId)?.progress.end();
        const progress = showProgress(chainId, from, to);
        backfills.set(chainId, { progress, to, samples: [], logs: 0, readAt: monotonic(), isStalled: false });
      },
      async storeRange(range: FinalBlocks) {
        const backfill = backfills.get(chainId);
        if (backfill === undefined) throw new Error(`chain ${chainId}: a range outside of a backfill`);
        const block = range.last.number;
        backfill.samples = addSample(backfill.samples, { at: monotonic(), done: block });
        await write(async (tx) => {
          await writer.storeRange(tx, range);
          await tx.upsert('state', [{ key: 'load_ends_at', value: loadEndsAt() }]);
          if (await loader.isFoldDue(tx)) await onRanked(tx, await loader.fold(tx));
        });
        await health.works(chainId);
        Object.assign(backfill, { readAt: monotonic(), isStalled: false });
        backfill.logs += range.logs.length;
        backfill.progress.update(block, backfill.logs, secondsLeft(backfill.samples, backfill.to));
      },
      endBackfill,
      async storeBlocks(blocks: readonly NewBlock[]) {
        await write(async (tx) => {
          await writer.storeBlocks(tx, blocks);
          if (blocks.some(({ logs }) => logs.length > 0)) await finishUnlessLoading(tx);
        });
        await health.works(chainId);
        for (const { block, logs } of blocks)
          logger.debug({ chain: chainId, block: block.number, logs: logs.length }, 'block');
      },
      async rewind(reorg: Reorg) {
        const removed = await write(async (tx) => {
          const logs = await writer.rewind(tx, reorg);
          if (!isLoading()) await finishLoad(tx);
          // Logs that wait for the end of the load would leave what the graph has of the removed ones until then.
          else if (logs > 0) await onRanked(tx, await loader.fold(tx));
          return logs;
        });
        counters.add('reorgs', String(chainId));
        logger.warn(
          { chain: chainId, depth: reorg.last.number - reorg.fork.number, logs: removed },
          `reorg: rolled back ${removed} ${removed === 1 ? 'log' : 'logs'}`,
        );
      },
      /** Everything up to the head was read. */
      async caughtUp(heads: ChainHeads) {
        await endBackfill();
        await write((tx) => writer.writeHeads(tx, heads));
        await health.caughtUp(chainId, heads.head.number);
      },
      /** No node answers. The chain is tried again after the poll interval. */
      unavailable: (error: RemoteError) => health.unavailable(chainId, error),
      /** An error that needs the operator. The chain is tried again after some time; other chains go on. */
      async stopped(error: OperatorError) {
        await endBackfill();
        const areAllStopped = await health.stopped(chainId, error);
        if (areAllStopped && options.endsWithChains) throw error;
      },
    };
  };

  return {
    chains: chainIds.map(createChain),
    /** Folds logs that an earlier process stored but did not fold. */
    foldStored: () => write(finishLoad),
    /** Called every second: stops waiting for backfills of which nothing was read for a while. */
    async checkStalled() {
      const stalled = [...backfills.values()].filter(
        ({ readAt, isStalled }) => !isStalled && monotonic() - readAt >= STALLED_MS,
      );
      for (const backfill of stalled) backfill.isStalled = true;
      if (stalled.length > 0 && !isLoading()) await write(finishLoad);
    },
  };
}

/** Final blocks that continue the stored ones. */
export interface FinalBlocks extends FetchedBlocks {
  readonly heads: ChainHeads;
  /** Blocks per request that the nodes accept. */
  readonly rangeSize: number;
}

/** Final blocks of which a contract has no other logs than these. */
export interface HistoryBlocks extends Pick<FetchedBlocks, 'logs' | 'last'> {
  readonly address: string;
  /** The last block that was read for the contract. */
  readonly afterBlock: number;
}

/** One block on top of the stored one with its parent hash. */
export interface NewBlock {
  readonly logs: readonly ChainLog[];
  readonly block: BlockHeader;
  readonly heads: ChainHeads;
}

/**
 * Writes the blocks of one chain. Data and cursor commit together, in the caller's transaction, which fails with a
 * `CursorMovedError` if they do not continue what is stored.
 */
export function createChainWriter(
  chainId: number,
  { roleOf, loader, now }: Pick<IndexedChainsOptions, 'roleOf' | 'loader' | 'now'>,
) {
  /** A node that lags, or lies, must not make final blocks uncertain again. */
  const headsRow = async (tx: Transaction, { head, finalized }: ChainHeads) => {
    const [stored] = await tx.readBy('cursors', 'chain_id', [chainId]);
    const finalized_number = Math.max(stored?.finalized_number ?? 0, finalized);
    return { head_number: head.number, head_time: head.time, finalized_number, checked_at: now() };
  };
  /** Moves the cursor from `after` to a block and deletes the recent blocks below `oldest`. */
  const advance = async (
    tx: Transaction,
    after: BlockRef | null,
    block: BlockHeader,
    heads: ChainHeads,
    oldest: number,
  ) => {
    const { number, hash, time } = block;
    const row = await headsRow(tx, heads);
    row.head_number = Math.max(row.head_number, number);
    row.head_time = Math.max(row.head_time, time);
    await moveCursor(tx, after, { chain_id: chainId, number, hash, time, ...row });
    await settleAll([tx.upsert('recent_blocks', [{ chain_id: chainId, number, hash }]), deleteRecent(tx, '<', oldest)]);
  };
  const deleteRecent = (tx: Transaction, operator: '<' | '>', number: number) =>
    tx.execute((db) =>
      db.deleteFrom('recent_blocks').where('chain_id', '=', chainId).where('number', operator, number),
    );

  return {
    async storeRange(tx: Transaction, { after, logs, last, heads, rangeSize }: FinalBlocks) {
      await advance(tx, after, last, heads, last.number);
      await loader.load(tx, decodeLogs(roleOf, logs));
      await tx.upsert('state', [{ key: `range_size_${chainId}`, value: rangeSize }]);
    },
    /** Each on top of the one before. */
    async storeBlocks(tx: Transaction, blocks: readonly NewBlock[]) {
      for (const { block, heads } of blocks) {
        const parent = { number: block.number - 1, hash: block.parentHash };
        // The last final block is kept: no fork can lie below it.
        await advance(tx, parent, block, heads, Math.min(heads.finalized, block.number));
      }
      const logs = blocks.flatMap((block) => block.logs);
      if (logs.length > 0) await loader.load(tx, decodeLogs(roleOf, logs));
    },
    async storeHistory(tx: Transaction, { address, afterBlock, logs, last }: HistoryBlocks) {
      await advanceAdded(tx, chainId, address, afterBlock, last.number);
      if (logs.length > 0) await loader.load(tx, decodeLogs(roleOf, logs));
    },
    /** Removes the logs above the fork and moves the cursor back to it. Returns the number of removed logs. */
    async rewind(tx: Transaction, { last, fork, time }: Reorg): Promise<number> {
      const [cursor] = await tx.readBy('cursors', 'chain_id', [chainId]);
      const recent = await tx.read('recent_blocks', ['chain_id', 'number'], [[chainId, fork.number]]);
      if (cursor === undefined || recent[0]?.hash !== fork.hash)
        throw new CursorMovedError(chainId, `block ${last.number} above block ${fork.number}`, cursor);
      await moveCursor(tx, last, { ...cursor, ...fork, time });
      const removed = await rewindChain(tx, chainId, fork.number);
      await rewindAdded(tx, chainId, fork.number);
      await deleteRecent(tx, '>', fork.number);
      return removed;
    },
    /** Records the heads of the chain, from which the lag of the indexer is computed. */
    async writeHeads(tx: Transaction, heads: ChainHeads) {
      const row = { chain_id: chainId, ...(await headsRow(tx, heads)) };
      await tx.patch('cursors', ['head_number', 'head_time', 'finalized_number', 'checked_at'], [row]);
    },
  };
}
