import { pino } from 'pino';
import { readMonotonic } from '../../src/async/unix-time.ts';
import type { IndexerConfig } from '../../src/indexer/index-chain.ts';
import { type IndexerOptions, runIndexer } from '../../src/indexer/run-indexer.ts';
import { type Deployment, deployments } from '../../src/protocol/deployments.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { UNLIMITED } from '../../src/rpc/node-limit.ts';
import type { Store } from '../../src/store/store.ts';
import { dumpCleanReplay } from '../support/clean-replay.ts';
import type { Engine } from '../support/engines.ts';
import { type EvmNode, startNode } from './evm-node.ts';

export const CHAINS = [8453, 10, 1];

export const addressesOn = (chainId: number) =>
  deployments.mainnet.contracts.filter((contract) => contract.chainId === chainId).map(({ address }) => address);

/** A node for each chain, with event emitters at the addresses of the protocol's contracts. */
export async function startChains(options?: { epoch?: number }): Promise<EvmNode[]> {
  const nodes = await Promise.all(CHAINS.map((chainId) => startNode(chainId, options)));
  for (const node of nodes) await node.install(addressesOn(node.chainId));
  return nodes;
}

/** Mines the logs of a history on the nodes, block by block. Logs of other contracts are skipped. */
export async function play(nodes: readonly EvmNode[], history: readonly RawLog[]): Promise<void> {
  for (const node of nodes) {
    const known = new Set<string>(addressesOn(node.chainId));
    const logs = history.filter((log) => log.chainId === node.chainId && known.has(log.address.toLowerCase()));
    for (const block of new Set(logs.map((log) => log.blockNumber))) {
      await node.mine(logs.filter((log) => log.blockNumber === block));
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

type AnyNode = Pick<EvmNode, 'chainId' | 'url' | 'request'>;

/** Starts an indexer in this process. */
export function startIndexer(
  store: Store,
  nodes: readonly AnyNode[],
  overrides: IndexerOverrides = {},
): RunningIndexer {
  const ending = new AbortController();
  const log: string[] = [];
  const { fetch = globalThis.fetch, refreshProfiles = null, ...config } = overrides;
  const ended = runIndexer({
    config: {
      deployment: deployments.mainnet,
      rpcUrls: new Map(nodes.map(({ chainId, url }) => [chainId, [url]])),
      startBlocks: new Map(nodes.map(({ chainId }) => [chainId, 0])),
      pollMs: 20,
      ranksMs: 200,
      rpcTimeoutMs: 5_000,
      // The chains of tests are short.
      finalityDepths: new Map(nodes.map(({ chainId }) => [chainId, 0])),
      bloomChecks: new Map(),
      comparesNodes: false,
      ...config,
    },
    store,
    logger: pino({ level: 'debug' }, { write: (line) => log.push(line) }),
    now: Date.now,
    monotonic: readMonotonic,
    limitOf: () => UNLIMITED,
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
export async function untilIndexed(store: Store, nodes: readonly AnyNode[], indexer: RunningIndexer): Promise<void> {
  let failed: unknown;
  indexer.ended.catch((error) => {
    failed = error;
  });
  for (const node of nodes) {
    for (;;) {
      if (failed !== undefined) throw failed;
      const head = await node.request<{ hash: string }>('eth_getBlockByNumber', ['latest', false]);
      const [cursor] = await store.transaction((tx) => tx.read('cursors', ['chain_id'], [[node.chainId]]));
      if (cursor?.hash === head.hash) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Indexes all that the nodes have, and stops. */
export async function indexOnce(store: Store, nodes: readonly AnyNode[], overrides?: IndexerOverrides): Promise<void> {
  const indexer = startIndexer(store, nodes, overrides);
  await untilIndexed(store, nodes, indexer);
  await indexer.stop();
}

/** The rows of the canonical logs of the nodes, loaded into an empty database. */
export async function cleanReplay(
  engine: Engine,
  nodes: readonly EvmNode[],
  deployment?: Deployment,
): Promise<Record<string, unknown[]>> {
  const logs = await Promise.all(nodes.map((node) => node.logs()));
  return dumpCleanReplay(engine, logs.flat(), deployment);
}
