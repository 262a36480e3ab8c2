import { describe, expect, it, onTestFinished } from 'vitest';
import type { Call } from '../../src/rpc/endpoint.ts';
import { startNode } from '../indexer/evm-node.ts';
import { addressesOn } from '../indexer/harness.ts';
import { startNodeProxy } from '../indexer/node-proxy.ts';
import { randomBlock } from '../indexer/reorg-support.ts';
import { createRandom } from '../model/random.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { runKith } from './run-here.ts';
import { followKith } from './run-kith.ts';

const CHAIN = 8453;

describe.each(anyEngine)('RPC_CALLS_IN_FLIGHT on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('holds for kith index and kith verify, with batches split', async () => {
    const node = await startNode(CHAIN);
    onTestFinished(() => node.stop());
    await node.install(addressesOn(CHAIN));
    const random = createRandom(3);
    for (let i = 0; i < 12; i++) await node.mine(randomBlock(random, CHAIN));
    let running = 0;
    let most = 0;
    const proxy = await startNodeProxy(node.url, async (call, forward) => {
      most = Math.max(most, ++running);
      return forward(call).finally(() => {
        running -= 1;
      });
    });
    onTestFinished(proxy.stop);
    const env = {
      DATABASE_URL: own.database.url,
      [`RPC_URL_${CHAIN}`]: proxy.url,
      [`START_BLOCK_${CHAIN}`]: '0',
      RPC_CALLS_IN_FLIGHT: '1',
    };
    const indexer = followKith(['index'], env);
    await indexer.untilSaid(/caught up with the chain/);
    indexer.child.kill('SIGTERM');
    await indexer.outcome;
    const indexed = proxy.calls.length;
    const { code, stdout } = await runKith(['verify', '--all'], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('0 missing, 0 wrong, 0 extra') });
    const readLogs = (calls: Call[]) => calls.some(({ method }) => method === 'eth_getLogs');
    expect([readLogs(proxy.calls.slice(0, indexed)), readLogs(proxy.calls.slice(indexed))]).toEqual([true, true]);
    expect(most).toBe(1);
    expect(proxy.batches).toEqual([]);
  });
});
