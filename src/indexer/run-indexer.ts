import { setTimeout } from 'node:timers/promises';
import type { MonotonicMs, UnixMs } from '../async/unix-time.ts';
import { createLogLoader } from '../ingest/load-logs.ts';
import { PRIORITIES, queueProfiles } from '../names/background/profile-queue.ts';
import { chainsOf, createRoleOf } from '../protocol/deployments.ts';
import { updateStaleRanks } from '../ranks/update-ranks.ts';
import { fenced, LockLostError } from '../store/lease.ts';
import { retryDelayMs } from '../store/outage.ts';
import {
  CorruptDatabaseError,
  type IndexerLock,
  type Store,
  StoreUnavailableError,
  type Transaction,
} from '../store/store.ts';
import { writeFault } from './chain-health.ts';
import { CursorMovedError } from './cursor-moved-error.ts';
import { type IndexChainOptions, indexChain } from './index-chain.ts';
import { createIndexedChains, type IndexedChainsOptions } from './indexed-chain.ts';
import { createSession, type Session } from './session.ts';

export interface IndexerOptions extends IndexChainOptions, Pick<IndexedChainsOptions, 'showProgress'> {
  readonly store: Store;
  readonly signal: AbortSignal;
  /** Refreshes profiles in the background until `sleep` rejects. Null without a profile source. */
  readonly refreshProfiles:
    | ((session: Pick<Session, 'write' | 'sleep' | 'ending' | 'counters'>) => Promise<never>)
    | null;
  /** Called when this process starts or stops indexing; before the first call it stands by. */
  readonly onActive?: (isActive: boolean) => void;
}

const MAINTENANCE_MS = 1_000;
/** Longer than a transaction waits for a lock. */
const OUTAGE_QUIET_MS = 90_000;
/** More new members than this come from a bulk load: their profiles are not fetched first. */
const MAX_JOINED = 10_000;

/** Indexes until the signal aborts, while this process holds the indexer lock; otherwise stands by. */
export async function runIndexer(options: IndexerOptions): Promise<void> {
  const { store, logger, monotonic, signal, config, onActive = () => undefined } = options;
  for (const chainId of chainsOf(config.deployment)) {
    if (config.rpcUrls.size > 0 && !config.rpcUrls.has(chainId)) {
      logger.warn({ chain: chainId }, `chain ${chainId} is not indexed: lists stored on it will be empty`);
    }
  }
  const lock = store.createIndexerLock(monotonic);
  try {
    let isStandbyLogged = false;
    let failures = 0;
    let failedAt = Number.NEGATIVE_INFINITY;
    /** The codes of the outage. A failover may begin with a restart, and go on with a standby. */
    const logged = new Set<string>();
    const onStarted = () => {
      failures = 0;
    };
    for (;;) {
      let delayMs = MAINTENANCE_MS;
      try {
        if (await lock.hold()) {
          isStandbyLogged = false;
          onActive(true);
          await indexWhileHeld(options, lock, onStarted).finally(() => onActive(false));
        } else {
          onStarted();
          if (!isStandbyLogged) logger.info('standing by: another process holds the indexer lock');
          isStandbyLogged = true;
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        // A full disk lets some transactions through, so an attempt that works is not the end of an outage.
        if (monotonic() - failedAt > OUTAGE_QUIET_MS) logged.clear();
        failedAt = monotonic();
        failures += 1;
        if (!logged.has(error.code))
          logger.warn({ code: error.code }, `database unavailable, retrying: ${error.message}`);
        logged.add(error.code);
        delayMs = retryDelayMs(failures);
      }
      await setTimeout(delayMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await lock.release();
  }
}

/**
 * Returns when the lock is lost or the database has changed meanwhile; rejects when all chains are stopped and there is
 * nothing else to do.
 */
async function indexWhileHeld(options: IndexerOptions, lock: IndexerLock, onStarted: () => void): Promise<void> {
  const { config, store, logger, now, monotonic, refreshProfiles, showProgress } = options;
  const chainIds = [...config.rpcUrls.keys()];
  const stop = new AbortController();
  const session = createSession(store, lock, AbortSignal.any([options.signal, stop.signal]));
  const { write, sleep, counters } = session;

  let rankedAt: MonotonicMs = Number.NEGATIVE_INFINITY;
  /** After every ranking, also that of a bulk fold. */
  const onRanked: IndexedChainsOptions['onRanked'] = async (tx, joined) => {
    if (joined === null) return;
    rankedAt = monotonic();
    if (refreshProfiles !== null && joined.length <= MAX_JOINED) await queueProfiles(tx, joined, PRIORITIES.newMember);
  };
  const rank = async () => {
    if (monotonic() - rankedAt < config.ranksMs) return;
    await updateStaleRanks({ reader: store.reader, transaction: write }, now(), onRanked);
  };
  const { chains, foldStored, checkStalled } = createIndexedChains({
    ...{ chainIds, write, counters, logger, now, monotonic, showProgress, onRanked },
    reader: store.reader,
    roleOf: createRoleOf(config.deployment),
    loader: createLogLoader({ now }),
    endsWithChains: refreshProfiles === null,
  });
  const maintain = async () => {
    await checkStalled();
    await counters.flush();
  };
  const everySecond = async (work: () => Promise<void>): Promise<never> => {
    for (;;) {
      await work();
      await sleep(MAINTENANCE_MS);
    }
  };

  try {
    const known = await write((tx) => recordIndexedChains(tx, chainIds));
    for (const chain of known.filter((chainId) => !chainsOf(config.deployment).includes(chainId)))
      logger.warn({ chain }, `chain ${chain} is not configured any more: what was read of it is kept, and not updated`);
    await foldStored();
    logger.info({ chains: chainIds }, 'indexing');
    onStarted();
    // They end with the first one that fails.
    const tasks = [
      everySecond(() => lock.keep()),
      everySecond(maintain),
      everySecond(rank),
      ...chains.map((chain) => indexChain(options, session, chain)),
      ...(refreshProfiles === null ? [] : [refreshProfiles(session)]),
    ];
    await Promise.all(tasks).finally(() => {
      stop.abort();
      return Promise.allSettled(tasks);
    });
  } catch (error) {
    // Counts since the last maintenance. If this fails too, the error that ended the session matters more.
    await counters.flush().catch(() => undefined);
    if (error instanceof CorruptDatabaseError)
      await recordDamage(store, lock, error, chainIds, now()).catch(() => undefined);
    if (error instanceof LockLostError) logger.warn(`lost the indexer lock: ${error.message}`);
    else if (error instanceof CursorMovedError) logger.warn(`starting again from what is stored: ${error.message}`);
    else throw error;
  }
}

/** For the processes that serve, which may not read the damaged page. Fails if it is one of those that this needs. */
async function recordDamage(
  store: Store,
  lock: IndexerLock,
  { code, message }: CorruptDatabaseError,
  chainIds: readonly number[],
  now: UnixMs,
): Promise<void> {
  await store.transaction((tx) =>
    fenced(tx, lock, async () => {
      for (const chainId of chainIds) await writeFault(tx, chainId, { code, message }, now);
    }),
  );
}

/** Stores which chains are indexed from now on, and forgets the faults of the others. Returns all that it knows. */
async function recordIndexedChains(tx: Transaction, chainIds: readonly number[]): Promise<number[]> {
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
  return known.map(({ chain_id }) => chain_id);
}
