import { createEndpoint, type Endpoint } from '../../../src/rpc/endpoint.ts';
import { createRpcClient, type RpcClient } from '../../../src/rpc/rpc-client.ts';

export const nodeAt = (url: string): Endpoint => createEndpoint({ url, fetch: globalThis.fetch, timeoutMs: 5_000 });

/** A client whose clock advances only by its own sleeps. */
export function createClientOf(...endpoints: readonly Endpoint[]): RpcClient {
  let time = 0;
  return createRpcClient({
    chainId: 1,
    endpoints,
    now: () => time,
    random: () => 1,
    sleep: async (ms) => {
      time += ms;
    },
    onFault: () => undefined,
  });
}
