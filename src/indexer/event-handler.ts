import type { Logger } from 'pino';
import { addSample, type Sample, secondsLeft } from '../async/time-left.ts';
import type { UnixMs } from '../async/unix-time.ts';
import type { LogLoader } from '../ingest/load-logs.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { ChainEvent } from './chain-event.ts';
import { createChainHealth } from './chain-health.ts';
import type { ChainWriter } from './chain-writer.ts';
import type { Counters } from './counters.ts';

interface ProgressSink {
  update(block: number, logs: number, secondsLeft: number | null): void;
  end(): void;
}

export interface EventHandlerOptions {
  /** The chains that are indexed. */
  readonly chainIds: readonly number[];
  /** A transaction that fails if this process no longer holds the indexer lock. */
  readonly write: Store['transaction'];
  readonly loader: LogLoader;
  readonly counters: Counters;
  readonly logger: Logger;
  readonly now: () => UnixMs;
  /** Called for every backfill. */
  readonly showProgress: (chainId: number, from: number, to: number) => ProgressSink;
  /**
   * Called in transactions that may fold in bulk, which also ranks. Takes the accounts that joined the leaderboard; null
   * if nothing was ranked.
   */
  readonly onRanked: (tx: Transaction, joined: readonly string[] | null) => Promise<void>;
}

/** Writes the events of all chains. */
export interface EventHandler {
  /** Folds logs that an earlier process stored but did not fold. */
  start(): Promise<void>;
  handle(chain: ChainWriter, event: ChainEvent): Promise<void>;
  /** Called every second: stops waiting for backfills without events. */
  tick(): Promise<void>;
}

interface Backfill {
  readonly progress: ProgressSink;
  readonly to: number;
  /** Of the last block that was read. */
  samples: readonly Sample[];
  logs: number;
  lastEventAt: UnixMs;
  /** Whether it had no event for `STALLED_MS`. */
  isStalled: boolean;
}

/** A chain without events for this long does not delay the others: its nodes may be away for hours. */
const STALLED_MS = 30_000;

export function createEventHandler(options: EventHandlerOptions): EventHandler {
  const { chainIds, write, loader, counters, logger, now, showProgress, onRanked } = options;
  /** By chain. The fold waits until the last backfill ends or stalls. */
  const backfills = new Map<number, Backfill>();
  const health = createChainHealth({ chainIds, write, logger });
  const isLoading = () => [...backfills.values()].some(({ isStalled }) => !isStalled);
  const finishLoad = async (tx: Transaction) => onRanked(tx, await loader.finish(tx));

  /** When the slowest backfill will end; 0 if that is unknown. */
  const loadEndsAt = () => {
    const left = [...backfills.values()].map(({ samples, to, isStalled }) =>
      isStalled ? null : secondsLeft(samples, to),
    );
    const longest = Math.max(...left.map((seconds) => seconds ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(longest) ? now() + longest * 1000 : 0;
  };

  const endBackfill = async (chainId: number) => {
    const backfill = backfills.get(chainId);
    if (backfill === undefined) return;
    backfills.delete(chainId);
    backfill.progress.end();
    if (!isLoading()) await write(finishLoad);
  };

  return {
    start: () => write(finishLoad),
    async tick() {
      const stalled = [...backfills.values()].filter(
        ({ lastEventAt, isStalled }) => !isStalled && now() - lastEventAt >= STALLED_MS,
      );
      for (const backfill of stalled) backfill.isStalled = true;
      if (stalled.length > 0 && !isLoading()) await write(finishLoad);
    },
    async handle(chain, event) {
      const { chainId } = chain;
      switch (event.kind) {
        case 'backfill-start':
          // An outage interrupts a backfill without ending it.
          backfills.get(chainId)?.progress.end();
          backfills.set(chainId, {
            progress: showProgress(chainId, event.from, event.to),
            to: event.to,
            samples: [],
            logs: 0,
            lastEventAt: now(),
            isStalled: false,
          });
          break;
        case 'range': {
          const backfill = backfills.get(chainId);
          if (backfill === undefined) throw new Error(`chain ${chainId}: a range outside of a backfill`);
          const block = event.last.number;
          backfill.samples = addSample(backfill.samples, { at: now(), done: block });
          await write(async (tx) => {
            await chain.storeRange(tx, event);
            await tx.upsert('state', [{ key: 'load_ends_at', value: loadEndsAt() }]);
            if (await loader.isFoldDue(tx)) await onRanked(tx, await loader.fold(tx));
          });
          await health.works(chain);
          Object.assign(backfill, { lastEventAt: now(), isStalled: false });
          backfill.logs += event.logs.length;
          backfill.progress.update(block, backfill.logs, secondsLeft(backfill.samples, backfill.to));
          break;
        }
        case 'backfill-end':
          await endBackfill(chainId);
          break;
        case 'block':
          await write(async (tx) => {
            await chain.storeBlock(tx, event);
            if (event.logs.length > 0 && !isLoading()) await finishLoad(tx);
          });
          await health.works(chain);
          logger.debug({ chain: chainId, block: event.block.number, logs: event.logs.length }, 'block');
          break;
        case 'reorg': {
          const removed = await write(async (tx) => {
            const rewound = await chain.rewind(tx, event);
            await onRanked(tx, rewound.joined);
            return rewound.removed;
          });
          counters.add('reorgs', String(chainId));
          logger.warn(
            { chain: chainId, depth: event.depth, logs: removed },
            `reorg: rolled back ${removed} ${removed === 1 ? 'log' : 'logs'}`,
          );
          break;
        }
        case 'idle': {
          await endBackfill(chainId);
          const { heads } = event;
          if (heads === null) break;
          await write((tx) => chain.writeHeads(tx, heads));
          await health.caughtUp(chain, heads.head.number);
          break;
        }
        case 'unavailable':
          await health.unavailable(chain, event.error);
          break;
        case 'stopped':
          await endBackfill(chainId);
          await health.stopped(chain, event.error);
          break;
        default:
          event satisfies never;
      }
    },
  };
}
