import { EVENT_TOPICS } from '../protocol/decode-log.ts';
import type { Deployment } from '../protocol/deployments.ts';
import { createChainNode } from '../rpc/chain-node.ts';
import { type ChainTrust, createBloomTest, defaultTrust } from '../rpc/check-logs.ts';
import { createEndpoint } from '../rpc/endpoint.ts';
import type { LimitOf } from '../rpc/node-limit.ts';
import { createRpcClient, type RpcClientOptions } from '../rpc/rpc-client.ts';

export interface IndexerConfig {
  readonly deployment: Deployment;
  /** RPC URLs by chain, in order of preference. A chain without any is not indexed. */
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>;
  readonly startBlocks: ReadonlyMap<number, number>;
  readonly pollMs: number;
  readonly ranksMs: number;
  readonly rpcTimeoutMs: number;
  /** By chain, where it is not the default. */
  readonly finalityDepths: ReadonlyMap<number, number>;
  /** By chain, where it is not the default. */
  readonly bloomChecks: ReadonlyMap<number, 'on' | 'off'>;
  /** For chains with several nodes. */
  readonly comparesNodes: boolean;
}

export type TrustConfig = Pick<IndexerConfig, 'rpcUrls' | 'finalityDepths' | 'bloomChecks' | 'comparesNodes'>;

/** How far the nodes of a chain are believed. */
export function trustOf(config: TrustConfig, chainId: number): ChainTrust {
  const standard = defaultTrust(chainId);
  const bloomCheck = config.bloomChecks.get(chainId);
  return {
    finalityDepth: config.finalityDepths.get(chainId) ?? standard.finalityDepth,
    checksBlooms: bloomCheck === undefined ? standard.checksBlooms : bloomCheck === 'on',
    comparesNodes: config.comparesNodes && (config.rpcUrls.get(chainId) ?? []).length > 1,
  };
}

/** The first block to index of a chain. */
export function startBlockOf({ startBlocks, deployment }: IndexerConfig, chainId: number): number {
  return startBlocks.get(chainId) ?? deployment.startBlocks[chainId] ?? 0;
}

export interface ConnectOptions extends Pick<RpcClientOptions, 'sleep' | 'now' | 'random' | 'onFault'> {
  readonly config: Pick<IndexerConfig, 'deployment' | 'rpcTimeoutMs'> & TrustConfig;
  readonly fetch: typeof globalThis.fetch;
  readonly limitOf: LimitOf;
  /** Aborts pending requests. */
  readonly signal: AbortSignal;
}

/** The configured nodes of a chain, and a test of blocks for logs of its contracts. Sends nothing yet. */
export function connectChain(chainId: number, options: ConnectOptions) {
  const { config, fetch, limitOf, random, signal } = options;
  const timeoutMs = config.rpcTimeoutMs;
  const contracts = config.deployment.contracts.filter((c) => c.chainId === chainId).map(({ address }) => address);
  const topics = Object.values(EVENT_TOPICS);
  const urls = config.rpcUrls.get(chainId) ?? [];
  const client = createRpcClient({
    ...options,
    chainId,
    endpoints: urls.map((url) => createEndpoint({ url, fetch, timeoutMs, limit: limitOf(url), signal })),
  });
  const trust = trustOf(config, chainId);
  const node = createChainNode({ chainId, contracts, topics, client, trust, random });
  return { node, client, mayHaveLogs: createBloomTest(contracts, topics) };
}
