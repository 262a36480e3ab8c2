import type { Logger } from 'pino';
import { createSleep } from '../async/sleep.ts';
import { createLogLoader, type LogLoader } from '../ingest/load-logs.ts';
import { TURNS, wantProfiles } from '../names/wanted-profiles.ts';
import { EVENT_TOPICS } from '../protocol/decode-log.ts';
import { chainsOf, createRoleOf, type Deployment } from '../protocol/deployments.ts';
import { computeRanks } from '../ranks/compute-ranks.ts';
import { createChainNode } from '../rpc/chain-node.ts';
import { createEndpoint } from '../rpc/endpoint.ts';
import { createRpcClient } from '../rpc/rpc-client.ts';
import { LockLostError } from '../store/lease.ts';
import { type IndexerLock, type Store, StoreUnavailableError } from '../store/store.ts';
import { createBloomTest } from './bloom.ts';
import { createChainState } from './chain-state.ts';
import { type Counters, createCounters } from './counters.ts';
import { type IndexEvents, indexChain } from './index-chain.ts';
import { createLoading, type Loading } from './loading.ts';

export interface IndexerConfig {
  readonly deployment: Deployment;
  /** URLs of nodes by chain, in the order in which they are preferred; a chain without any is not indexed. */
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>;
  readonly startBlocks: ReadonlyMap<number, number>;
  readonly pollMs: number;
  readonly ranksMs: number;
  readonly rpcTimeoutMs: number;
}

export interface IndexerOptions {
  readonly config: IndexerConfig;
  readonly store: Store;
  readonly logger: Logger;
  readonly now: () => number;
  readonly random: () => number;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Keeps profiles fresh meanwhile, until `sleep` rejects; null where they have no source. */
  readonly refreshProfiles: ((held: Pick<Held, 'write' | 'sleep' | 'ending'>) => Promise<never>) | null;
  /** Hears how the bulk of a chain comes in. */
  readonly showProgress: (chainId: number, from: number, to: number) => ProgressSink;
}

interface ProgressSink {
  update(block: number, logs: number): void;
  end(): void;
}

const HOUSEKEEPING_MS = 1_000;
/** More than this have not joined but come with a bulk of logs: among so many nobody can be first. */
const FEW_MEMBERS = 10_000;

/** Indexes until the signal, whenever no other process does. */
export async function runIndexer(options: IndexerOptions): Promise<void> {
  const { store, logger, now, signal, config } = options;
  for (const chainId of chainsOf(config.deployment)) {
    if (config.rpcUrls.size > 0 && !config.rpcUrls.has(chainId)) {
      logger.warn({ chain: chainId }, `RPC_URL_${chainId} is not set: lists stored on this chain will be empty`);
    }
  }
  const lock = store.createIndexerLock(now);
  const sleep = createSleep(signal);
  try {
    let saidStandby = false;
    for (;;) {
      try {
        if (await lock.hold()) {
          saidStandby = false;
          await indexWhileHeld(options, lock);
        } else if (!saidStandby) {
          saidStandby = true;
          logger.info('another process is indexing: standing by');
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        logger.warn({ err: error }, 'the database cannot be used now; trying again');
      }
      await sleep(HOUSEKEEPING_MS);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await lock.release();
  }
}

/** Returns when the lock is lost; rejects with whatever stops a chain. */
async function indexWhileHeld(options: IndexerOptions, lock: IndexerLock): Promise<void> {
  const { config, store, logger, signal } = options;
  const lost = new AbortController();
  const ending = AbortSignal.any([signal, lost.signal]);
  const write: Store['transaction'] = (work) =>
    store.transaction(async (tx) => {
      ending.throwIfAborted();
      await lock.fence(tx);
      const result = await work(tx);
      // Again, for the work may have outlasted a lease, which this renews.
      await lock.fence(tx);
      return result;
    });
  const loading = createLoading(options.now);
  const sleep = createSleep(ending);
  const held: Held = {
    ending,
    counters: createCounters(store),
    loading,
    loader: createLogLoader({ now: options.now }),
    sleep,
    lock,
    write,
  };
  const all: Promise<never>[] = [];
  try {
    await finishLoad(held);
    for (const chainId of config.rpcUrls.keys()) all.push(indexOne({ ...options, ...held }, chainId));
    all.push(keepHouse(options, held));
    if (options.refreshProfiles !== null) all.push(options.refreshProfiles(held));
    logger.info({ chains: [...config.rpcUrls.keys()] }, 'indexing');
    await Promise.race(all);
  } catch (error) {
    lost.abort();
    // The others end at their next pause, request or write; a write under way is finished or rolled back first.
    await Promise.allSettled(all);
    // What was counted since housekeeping last looked; where even that fails, the error that ended this matters more.
    await held.counters.flush().catch(() => undefined);
    if (!(error instanceof LockLostError)) throw error;
    logger.warn('another process has taken over indexing');
  }
}

interface Held {
  readonly lock: IndexerLock;
  /** Comes when the lock is lost or the process is asked to end. */
  readonly ending: AbortSignal;
  /** A transaction that is refused when the end has come, or when the lock has passed to somebody else. */
  readonly write: Store['transaction'];
  readonly counters: Counters;
  readonly loading: Loading;
  readonly loader: LogLoader;
  readonly sleep: (ms: number) => Promise<void>;
}

async function indexOne(options: IndexerOptions & Held, chainId: number): Promise<never> {
  const { config, store, logger, now, random, fetch, ending, write, counters, loading, loader, sleep } = options;
  const contracts = config.deployment.contracts.filter((c) => c.chainId === chainId).map(({ address }) => address);
  const topics = Object.values(EVENT_TOPICS);
  const urls = config.rpcUrls.get(chainId) ?? [];
  const client = createRpcClient({
    chainId,
    endpoints: urls.map((url) => createEndpoint({ url, fetch, timeoutMs: config.rpcTimeoutMs, signal: ending })),
    sleep,
    now,
    random,
    onFault: (host, error) => {
      // Requests that we end ourselves are nobody's fault.
      if (ending.aborted) return;
      counters.add('rpc_faults', `${chainId} ${host} ${error.fault.kind}`);
      logger.debug({ chain: chainId, host, err: error }, 'a node did not answer');
    },
  });
  await client.checkAll();
  const state = createChainState({
    chainId,
    store,
    roleOf: createRoleOf(config.deployment),
    loader,
    write,
    isLoading: loading.isActive,
    now,
  });
  return indexChain({
    node: createChainNode({ chainId, contracts, topics, client }),
    state,
    startBlock: config.startBlocks.get(chainId) ?? config.deployment.startBlocks[chainId] ?? 0,
    pollMs: config.pollMs,
    mayHaveLogs: createBloomTest(contracts, topics),
    now,
    sleep,
    logger,
    events: createEvents(options, chainId),
  });
}

/** Brings the graph up to the logs, those included that an earlier process left unfolded. */
async function finishLoad({ write, loader, loading }: Held): Promise<void> {
  loading.finished();
  await write((tx) => loader.finish(tx));
}

function createEvents(options: IndexerOptions & Held, chainId: number): IndexEvents {
  const { logger, counters, loading, showProgress } = options;
  let progress: ProgressSink | undefined;
  let logs = 0;
  return {
    onBackfill(from, to) {
      loading.heard(chainId);
      progress?.end();
      logs = 0;
      progress = showProgress(chainId, from, to);
    },
    onRange(last, count) {
      loading.heard(chainId);
      logs += count;
      progress?.update(last.number, logs);
    },
    async onBackfillEnd() {
      loading.end(chainId);
      progress?.end();
      progress = undefined;
      if (!loading.isActive()) await finishLoad(options);
    },
    onBlock(block, count) {
      logger.debug({ chain: chainId, block: block.number, logs: count }, 'block');
    },
    onReorg(depth, removed) {
      counters.add('reorgs', String(chainId));
      logger.warn({ chain: chainId, depth, logs: removed }, 'the chain was reorganised: its logs were taken back');
    },
  };
}

/**
 * Keeps the lock, writes counters down, finishes the graph when a chain has gone silent in the middle of its bulk, and
 * makes ranks when the graph has changed and enough time has passed.
 */
async function keepHouse({ config, now, refreshProfiles }: IndexerOptions, held: Held): Promise<never> {
  const { lock, write, loading, counters, sleep } = held;
  let ranked = 0;
  for (;;) {
    if (!(await lock.hold())) throw new LockLostError('another process has taken over indexing');
    await counters.flush();
    if (loading.isUnfinished() && !loading.isActive()) await finishLoad(held);
    if (now() - ranked >= config.ranksMs) {
      const joined = await write(async (tx) => {
        const members = await computeRanks(tx, now());
        if (refreshProfiles !== null && members !== null && members.length <= FEW_MEMBERS) {
          await wantProfiles(tx, members, TURNS.joined);
        }
        return members;
      });
      if (joined !== null) ranked = now();
    }
    await sleep(HOUSEKEEPING_MS);
  }
}
