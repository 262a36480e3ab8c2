import { setTimeout } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { CommandError } from '../errors/operator-error.ts';
import type { BackfillOptions } from '../indexer/backfill.ts';
import { connectChain } from '../indexer/connect-chain.ts';
import { createRangeSize } from '../indexer/range-size.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { Context } from './command.ts';
import { nodeLimitsOf } from './create-sources.ts';

/** Connects to the nodes of a chain and runs `work`, which may read ranges of blocks. */
export async function withNode<T>(
  { config, logger, now, signal }: Context,
  chainId: number,
  work: (options: BackfillOptions) => Promise<T>,
): Promise<T> {
  const sleep = (ms: number) => setTimeout(ms, undefined, { signal });
  const { node, client } = connectChain(chainId, {
    config: { ...config, rpcUrls: rotate(config.rpcUrls) },
    fetch: globalThis.fetch,
    limitOf: nodeLimitsOf(config, 'verify'),
    signal,
    sleep,
    now,
    random: Math.random,
    onFault: (host, error) => logger.debug({ chain: chainId, host, err: error }, 'RPC request failed'),
  });
  try {
    await client.checkAll();
    return await work({ node, now, sleep, size: createRangeSize() });
  } catch (error) {
    if (error instanceof RemoteError)
      throw new CommandError('E_NODE_UNAVAILABLE', `RPC_URL_${chainId}: ${error.message}`);
    throw error;
  }
}

/** The indexer reads from the first node: another one is asked where there is one. */
function rotate(rpcUrls: Config['rpcUrls']): Config['rpcUrls'] {
  return new Map([...rpcUrls].map(([chainId, [first, ...others]]) => [chainId, [...others, first ?? '']]));
}
