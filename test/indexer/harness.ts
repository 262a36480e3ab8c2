import { pino } from 'pino';
import type { IndexerConfig } from '../../src/indexer/indexer-config.ts';
import { type IndexerOptions, runIndexer } from '../../src/indexer/run-indexer.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import { dumpCleanReplay } from '../support/clean-replay.ts';
import type { Engine } from '../support/engines.ts';
import { type Anvil, startAnvil } from './anvil.ts';

export const CHAINS = [8453, 10, 1];

export const addressesOn = (chainId: number) =>
  deployments.mainnet.contracts.filter((contract) => contract.chainId === chainId).map(({ address }) => address);

/** A node for each chain, with event emitters at the addresses of the protocol's contracts. */
export async function startChains(options?: { epoch?: number }): Promise<Anvil[]> {
  const anvils = await Promise.all(CHAINS.map((chainId) => startAnvil(chainId, options)));
  for (const anvil of anvils) await anvil.install(addressesOn(anvil.chainId));
  return anvils;
}

/** Mines the logs of a history on the nodes, block by block. Logs of other contracts are skipped. */
export async function play(anvils: readonly Anvil[], history: readonly RawLog[]): Promise<void> {
  for (const anvil of anvils) {
    const known = new Set<string>(addressesOn(anvil.chainId));
    const logs = history.filter((log) => log.chainId === anvil.chainId && known.has(log.address.toLowerCase()));
    for (const block of new Set(logs.map((log) => log.blockNumber))) {
      await anvil.mine(logs.filter((log) => log.blockNumber === block));
    }
  }
}

export interface RunningIndexer {
  /** Stops it and waits. Rejects if it failed. */
  stop(): Promise<void>;
  /** Settles when it ends. */
  readonly ended: Promise<void>;
  readonly log: string[];
}

export interface IndexerOverrides extends Partial<IndexerConfig> {
  readonly fetch?: typeof globalThis.fetch;
  readonly refreshProfiles?: IndexerOptions['refreshProfiles'];
}

/** Starts an indexer in this process. */
export function startIndexer(store: Store, anvils: readonly Anvil[], overrides: IndexerOverrides = {}): RunningIndexer {
  const ending = new AbortController();
  const log: string[] = [];
  const { fetch = globalThis.fetch, refreshProfiles = null, ...config } = overrides;
  const ended = runIndexer({
    config: {
      deployment: deployments.mainnet,
      rpcUrls: new Map(anvils.map(({ chainId, url }) => [chainId, [url]])),
      startBlocks: new Map(anvils.map(({ chainId }) => [chainId, 0])),
      pollMs: 20,
      ranksMs: 200,
      rpcTimeoutMs: 5_000,
      ...config,
    },
    store,
    logger: pino({ level: 'debug' }, { write: (line) => log.push(line) }),
    now: Date.now,
    random: Math.random,
    fetch,
    signal: ending.signal,
    refreshProfiles,
    showProgress: () => ({ update: () => undefined, end: () => undefined }),
  });
  ended.catch(() => undefined);
  return {
    ended,
    log,
    async stop() {
      ending.abort();
      await ended;
    },
  };
}

/** Waits until the database has all that the nodes have, block hash by block hash. */
export async function untilIndexed(store: Store, anvils: readonly Anvil[], indexer: RunningIndexer): Promise<void> {
  let failed: unknown;
  indexer.ended.catch((error) => {
    failed = error;
  });
  for (const anvil of anvils) {
    for (;;) {
      if (failed !== undefined) throw failed;
      const head = await anvil.request<{ hash: string }>('eth_getBlockByNumber', ['latest', false]);
      const [cursor] = await store.transaction((tx) => tx.read('cursors', ['chain_id'], [[anvil.chainId]]));
      if (cursor?.hash === head.hash) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Indexes all that the nodes have, and stops. */
export async function indexOnce(store: Store, anvils: readonly Anvil[], overrides?: IndexerOverrides): Promise<void> {
  const indexer = startIndexer(store, anvils, overrides);
  await untilIndexed(store, anvils, indexer);
  await indexer.stop();
}

/** The rows of the canonical logs of the nodes, loaded into an empty database. */
export async function cleanReplay(engine: Engine, anvils: readonly Anvil[]): Promise<Record<string, unknown[]>> {
  const logs = await Promise.all(anvils.map((anvil) => anvil.logs()));
  return dumpCleanReplay(engine, logs.flat());
}
