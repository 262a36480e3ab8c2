import { setTimeout } from 'node:timers/promises';
import { merge } from '../async/merge.ts';
import { createLogLoader } from '../ingest/load-logs.ts';
import { PRIORITIES, queueProfiles } from '../names/background/profile-queue.ts';
import { chainsOf, createRoleOf } from '../protocol/deployments.ts';
import { computeRanks } from '../ranks/compute-ranks.ts';
import { fenced, LockLostError } from '../store/lease.ts';
import { requireNoDemo } from '../store/marks.ts';
import { type IndexerLock, type Store, StoreUnavailableError, type Transaction } from '../store/store.ts';
import { createChainCursor } from './chain-cursor.ts';
import { createChainWriter } from './chain-writer.ts';
import { createCounters } from './counters.ts';
import { createEventHandler, type EventHandlerOptions } from './event-handler.ts';
import { type ChainStep, type IndexChainOptions, indexChain, isChainError, type Session } from './index-chain.ts';

export interface IndexerOptions extends IndexChainOptions, Pick<EventHandlerOptions, 'showProgress'> {
  readonly store: Store;
  readonly signal: AbortSignal;
  /** Refreshes profiles in the background until `sleep` rejects. Null without a profile source. */
  readonly refreshProfiles:
    | ((session: Pick<Session, 'write' | 'sleep' | 'ending' | 'counters'>) => Promise<never>)
    | null;
  /** Called when this process starts or stops indexing; before the first call it stands by. */
  readonly onActive?: (isActive: boolean) => void;
}

type IndexerEvent = ChainStep | { readonly kind: 'tick' };

const MAINTENANCE_MS = 1_000;
/** More new members than this come from a bulk load: their profiles are not fetched first. */
const MAX_JOINED = 10_000;

/** Indexes until the signal aborts, while this process holds the indexer lock; otherwise stands by. */
export async function runIndexer(options: IndexerOptions): Promise<void> {
  const { store, logger, now, signal, config, onActive = () => undefined } = options;
  for (const chainId of chainsOf(config.deployment)) {
    if (config.rpcUrls.size > 0 && !config.rpcUrls.has(chainId)) {
      logger.warn({ chain: chainId }, `chain ${chainId} is not indexed: lists stored on it will be empty`);
    }
  }
  const lock = store.createIndexerLock(now);
  try {
    let isStandbyLogged = false;
    let isOutageLogged = false;
    for (;;) {
      try {
        const isHeld = await lock.hold();
        isOutageLogged = false;
        if (isHeld) {
          isStandbyLogged = false;
          onActive(true);
          await indexWhileHeld(options, lock).finally(() => onActive(false));
        } else if (!isStandbyLogged) {
          isStandbyLogged = true;
          logger.info('standing by: another process holds the indexer lock');
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (!isOutageLogged) logger.warn({ err: error }, 'database unavailable, retrying');
        isOutageLogged = true;
      }
      await setTimeout(MAINTENANCE_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await lock.release();
  }
}

/** Returns when the lock is lost; rejects when all chains are stopped and there is nothing else to do. */
async function indexWhileHeld(options: IndexerOptions, lock: IndexerLock): Promise<void> {
  const { config, store, logger, now, refreshProfiles, showProgress } = options;
  const stop = new AbortController();
  const ending = AbortSignal.any([options.signal, stop.signal]);
  const write: Session['write'] = (work) =>
    store.transaction(async (tx) => {
      ending.throwIfAborted();
      return fenced(tx, lock, work);
    });
  const sleep = (ms: number) => setTimeout(ms, undefined, { signal: ending });
  const counters = createCounters(store);
  const session: Session = { ending, write, sleep, counters };

  let rankedAt = 0;
  /** After every ranking, also that of a bulk fold. */
  const onRanked: EventHandlerOptions['onRanked'] = async (tx, joined) => {
    if (joined === null) return;
    rankedAt = now();
    if (refreshProfiles !== null && joined.length <= MAX_JOINED) await queueProfiles(tx, joined, PRIORITIES.newMember);
  };
  /** Renews the lock, flushes the counters, and updates the ranks when they are due. */
  const runMaintenance = async () => {
    if (!(await lock.hold())) throw new LockLostError('another process has taken over indexing');
    await counters.flush();
    if (now() - rankedAt < config.ranksMs) return;
    await write(async (tx) => onRanked(tx, await computeRanks(tx, now())));
  };
  const chainIds = [...config.rpcUrls.keys()];
  const loader = createLogLoader({ now });
  const handler = createEventHandler({ chainIds, write, loader, counters, logger, now, showProgress, onRanked });
  const roleOf = createRoleOf(config.deployment);

  /** The chains that are stopped. */
  const stopped = new Set<number>();
  const handleChain = async (step: ChainStep) => {
    const { chain, event } = step;
    try {
      await handler.handle(chain, event);
    } catch (error) {
      if (!isChainError(error)) throw error;
      step.failure = error;
    }
    if (event.kind !== 'stopped') {
      stopped.delete(chain.chainId);
      return;
    }
    stopped.add(chain.chainId);
    if (stopped.size === chainIds.length && refreshProfiles === null) throw event.error;
  };

  const sources: AsyncGenerator<IndexerEvent>[] = [tick(sleep)];
  for (const chainId of chainIds) {
    const chain = createChainWriter({ chainId, roleOf, loader, now });
    sources.push(indexChain(options, session, chain, createChainCursor(store.reader, chainId)));
  }
  if (refreshProfiles !== null) sources.push(runInBackground(() => refreshProfiles(session)));
  try {
    await write(async (tx) => {
      await requireNoDemo(tx);
      await recordIndexedChains(tx, chainIds);
    });
    await handler.start();
    logger.info({ chains: chainIds }, 'indexing');
    for await (const event of merge(sources, () => stop.abort())) {
      switch (event.kind) {
        case 'chain':
          await handleChain(event);
          break;
        case 'tick':
          await handler.tick();
          await runMaintenance();
          break;
        default:
          event satisfies never;
      }
    }
  } catch (error) {
    // Counts since the last maintenance. If this fails too, the error that ended the session matters more.
    await counters.flush().catch(() => undefined);
    if (!(error instanceof LockLostError)) throw error;
    logger.warn('lost the indexer lock: another process has taken over indexing');
  }
}

/** Stores which chains are indexed from now on, and forgets the faults of the others. */
async function recordIndexedChains(tx: Transaction, chainIds: readonly number[]): Promise<void> {
  const faults = await tx.query((db) => db.selectFrom('chain_faults').select('chain_id'));
  await tx.remove(
    'chain_faults',
    faults.filter(({ chain_id }) => !chainIds.includes(chain_id)),
  );
  const known = await tx.query((db) => db.selectFrom('indexed_contracts').select('chain_id'));
  await tx.patch(
    'indexed_contracts',
    ['is_indexed'],
    known.map(({ chain_id }) => ({ chain_id, is_indexed: chainIds.includes(chain_id) ? 1 : 0 })),
  );
}

async function* tick(sleep: Session['sleep']): AsyncGenerator<IndexerEvent> {
  for (;;) {
    yield { kind: 'tick' };
    await sleep(MAINTENANCE_MS);
  }
}

/** A source without events, whose failure ends the session like that of any other source. */
async function* runInBackground(work: () => Promise<never>): AsyncGenerator<never> {
  yield await work();
}
