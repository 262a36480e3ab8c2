import { EVENT_TOPICS } from '../protocol/decode-log.ts';
import { createChainNode } from '../rpc/chain-node.ts';
import { createEndpoint } from '../rpc/endpoint.ts';
import type { LimitOf } from '../rpc/node-limit.ts';
import { createRpcClient, type RpcClientOptions } from '../rpc/rpc-client.ts';
import type { IndexerConfig } from './indexer-config.ts';

export interface ConnectOptions extends Pick<RpcClientOptions, 'sleep' | 'now' | 'random' | 'onFault'> {
  readonly config: Pick<IndexerConfig, 'deployment' | 'rpcUrls' | 'rpcTimeoutMs'>;
  readonly fetch: typeof globalThis.fetch;
  readonly limitOf: LimitOf;
  /** Aborts pending requests. */
  readonly signal: AbortSignal;
}

/** The configured nodes of a chain, and what their logs are filtered by. Sends nothing yet. */
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
  return { node: createChainNode({ chainId, contracts, topics, client, random }), client, contracts, topics };
}
