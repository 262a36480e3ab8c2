import type { Logger } from 'pino';
import { placeAccounts } from '../ingest/place-accounts.ts';
import { EVENT_TOPICS } from '../protocol/decode-log.ts';
import { chainsOf, createRoleOf, type Deployment } from '../protocol/deployments.ts';
import { makeRanks } from '../ranks/make-ranks.ts';
import { createChainNode } from '../rpc/chain-node.ts';
import { createEndpoint } from '../rpc/endpoint.ts';
import { createRpcClient } from '../rpc/rpc-client.ts';
import { LockLostError } from '../store/indexer-lock.ts';
import type { IndexerLock, Store, Transaction } from '../store/store.ts';
import { createBloomTest } from './bloom.ts';
import { createChainState } from './chain-state.ts';
import { type Counters, createCounters } from './counters.ts';
import { type IndexEvents, indexChain } from './index-chain.ts';

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
  /** Hears how the bulk of a chain comes in. */
  readonly showProgress: (chainId: number, from: number, to: number) => ProgressSink;
}

interface ProgressSink {
  update(block: number, logs: number): void;
  end(): void;
}

const HOUSEKEEPING_MS = 1_000;

/** Indexes until the signal, whenever no other process does. */
export async function runIndexer(options: IndexerOptions): Promise<void> {
  const { store, logger, now, signal, config } = options;
  for (const chainId of chainsOf(config.deployment)) {
    if (!config.rpcUrls.has(chainId)) {
      logger.warn({ chain: chainId }, `RPC_URL_${chainId} is not set: lists stored on this chain will be empty`);
    }
  }
  const lock = store.createIndexerLock(now);
  const sleep = createSleep(signal);
  try {
    let saidStandby = false;
    for (;;) {
      if (await lock.hold()) {
        saidStandby = false;
        await indexWhileHeld(options, lock);
      } else if (!saidStandby) {
        saidStandby = true;
        logger.info('another process is indexing: standing by');
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
  const held: Held = {
    ending,
    counters: createCounters(store),
    backfilling: new Set(),
    sleep: createSleep(ending),
    lock,
    async fence(tx) {
      ending.throwIfAborted();
      await lock.fence(tx);
    },
  };
  const chains = [...config.rpcUrls.keys()].map((chainId) => indexOne({ ...options, ...held }, chainId));
  const housekeeping = keepHouse(options, held);
  logger.info({ chains: [...config.rpcUrls.keys()] }, 'indexing');
  const all = [...chains, housekeeping];
  try {
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
  /** Refuses to write when the end has come, or when the lock has passed to somebody else. */
  readonly fence: (tx: Transaction) => Promise<void>;
  readonly counters: Counters;
  readonly backfilling: Set<number>;
  readonly sleep: (ms: number) => Promise<void>;
}

async function indexOne(options: IndexerOptions & Held, chainId: number): Promise<never> {
  const { config, store, logger, now, random, fetch, ending, fence, counters, backfilling, sleep } = options;
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
  const state = createChainState({
    chainId,
    store,
    roleOf: createRoleOf(config.deployment),
    fence,
    placesNow: () => backfilling.size === 0,
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

function createEvents(options: IndexerOptions & Held, chainId: number): IndexEvents {
  const { store, logger, counters, backfilling, fence, showProgress } = options;
  let progress: ProgressSink | undefined;
  let logs = 0;
  return {
    onBackfill(from, to) {
      backfilling.add(chainId);
      logs = 0;
      progress = showProgress(chainId, from, to);
    },
    onRange(last, count) {
      logs += count;
      progress?.update(last.number, logs);
    },
    async onBackfilled() {
      backfilling.delete(chainId);
      progress?.end();
      progress = undefined;
      if (backfilling.size > 0) return;
      await store.transaction(async (tx) => {
        await fence(tx);
        await placeAccounts(tx);
      });
    },
    onBlock: (block, count) => logger.debug({ chain: chainId, block: block.number, logs: count }, 'block'),
    onReorg(depth, removed) {
      counters.add('reorgs', String(chainId));
      logger.warn({ chain: chainId, depth, logs: removed }, 'the chain was reorganised: its logs were taken back');
    },
  };
}

/** Keeps the lock, writes counters down, and makes ranks when the graph has changed and enough time has passed. */
async function keepHouse({ config, store, now }: IndexerOptions, held: Held): Promise<never> {
  const { lock, fence, counters, sleep } = held;
  let ranked = 0;
  for (;;) {
    if (!(await lock.hold())) throw new LockLostError('another process has taken over indexing');
    await counters.flush();
    if (now() - ranked >= config.ranksMs) {
      ranked = now();
      await store.transaction(async (tx) => {
        await fence(tx);
        await makeRanks(tx, now());
      });
    }
    await sleep(HOUSEKEEPING_MS);
  }
}

/** A pause that ends with a rejection when the signal comes. */
function createSleep(signal: AbortSignal): (ms: number) => Promise<void> {
  return (ms) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
}
