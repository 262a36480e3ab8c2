import { describe, expect, it, onTestFinished } from 'vitest';
import { demoLogs } from '../../src/demo/demo-logs.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { CHAINS, indexOnce } from './harness.ts';
import { type SparseProvider, startSparseProvider } from './sparse-provider.ts';

const MAX_BLOCKS = 10_000;
/** Blocks by chain: a tenth of what they had two years after the first list. */
const BLOCKS: Readonly<Record<number, number>> = { 8453: 3_400_000, 10: 3_400_000, 1: 560_000 };
const FIRST = 20_000_000;

describe.each(anyEngine)('the first sync into $name from providers that allow 10,000 blocks per request', (engine) => {
  const own = useOwnDatabase(engine);

  /** JSON-RPC calls for each range that is needed, all chains together. */
  async function callsPerRange(hasTimes: boolean): Promise<number> {
    const store = await own.open();
    const logs = [...demoLogs({ accounts: 400, seed: 1, now: Date.now() })];
    const nodes: SparseProvider[] = [];
    for (const chainId of CHAINS) {
      const chain = { chainId, first: FIRST, last: FIRST + (BLOCKS[chainId] ?? 0) - 1 };
      const ofChain = logs.filter((log) => log.chainId === chainId);
      const node = await startSparseProvider({ ...chain, logs: ofChain, maxBlocks: MAX_BLOCKS, hasTimes });
      onTestFinished(node.stop);
      nodes.push(node);
    }
    const startBlocks = new Map(CHAINS.map((chainId) => [chainId, FIRST]));
    await indexOnce(store, nodes, { startBlocks, pollMs: 3_600_000, ranksMs: 3_600_000 });
    const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0);
    const ranges = sum(nodes.map(({ blocks }) => Math.ceil(blocks / MAX_BLOCKS)));
    const [stored] = await store.transaction((tx) => tx.read('state', ['key'], [['logs']]));
    expect(stored?.value).toBe(logs.length);
    return sum(nodes.flatMap(({ calls }) => [...calls.values()])) / ranges;
  }

  it('takes at most 1.1 calls for each range if logs have timestamps', async () => {
    expect(await callsPerRange(true)).toBeLessThanOrEqual(1.1);
  });

  it('takes at most 1.5 calls for each range if they have none', async () => {
    expect(await callsPerRange(false)).toBeLessThanOrEqual(1.5);
  });
});
