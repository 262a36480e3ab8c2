import type { Deployment } from '../protocol/deployments.ts';

export interface IndexerConfig {
  readonly deployment: Deployment;
  /** RPC URLs by chain, in order of preference. A chain without any is not indexed. */
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>;
  readonly startBlocks: ReadonlyMap<number, number>;
  readonly pollMs: number;
  readonly ranksMs: number;
  readonly rpcTimeoutMs: number;
}

/** The first block to index of a chain. */
export function startBlockOf({ startBlocks, deployment }: IndexerConfig, chainId: number): number {
  return startBlocks.get(chainId) ?? deployment.startBlocks[chainId] ?? 0;
}
