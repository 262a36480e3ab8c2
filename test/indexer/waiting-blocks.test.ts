import { describe, expect, it } from 'vitest';
import { followHead } from '../../src/indexer/index-chain.ts';
import type { IndexedChain } from '../../src/indexer/indexed-chain.ts';
import { createRangeSize } from '../../src/indexer/range-size.ts';
import type { ChainNode } from '../../src/rpc/chain-node.ts';
import type { BlockHeader } from '../../src/rpc/check-logs.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { createTestState } from './test-state.ts';

const CHAIN = 8453;
const hashOf = (number: number) => `0x${String(number).padStart(64, '0')}` as const;
const blockAt = (number: number): BlockHeader => ({
  ...{ number, hash: hashOf(number), parentHash: hashOf(number - 1), time: number, logsBloom: '0x00' },
});

describe.each(anyEngine)('blocks that wait while others are written to $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('are stored together, up to a limit, each on top of the one before', async () => {
    const store = await own.open();
    const { chain: stored, writer } = createTestState(store, { chainId: CHAIN, now: Date.now });
    let head = 1;
    const range = {
      after: null,
      logs: [],
      last: blockAt(0),
      heads: { head: blockAt(head), finalized: 0 },
      rangeSize: 10,
    };
    await store.transaction((tx) => writer.storeRange(tx, range));
    const unexpected = () => Promise.reject(new Error('unexpected call'));
    const node: ChainNode = {
      chainId: CHAIN,
      fetchBlock: async (number) => (number <= head ? blockAt(number) : null),
      ...{ fetchBlockByHash: unexpected, fetchHeads: unexpected, fetchHashes: unexpected, fetchRange: unexpected },
      requireShared: async () => undefined,
      fetchLogs: async () => [],
    };
    const written: number[][] = [];
    const chain: IndexedChain = {
      ...stored,
      storeBlocks(blocks) {
        written.push(blocks.map(({ block }) => block.number));
        return stored.storeBlocks(blocks);
      },
    };
    const tools = { size: createRangeSize(), now: () => 0, sleep: async () => undefined };
    const follow = () =>
      followHead(
        { chain, node, startBlock: 0, readHistory: async () => false, mayHaveLogs: () => false, ...tools },
        { head: blockAt(head), finalized: 0 },
      );
    await follow();
    head = 12;
    await follow();
    expect(written).toEqual([[1], [2, 3, 4, 5, 6, 7, 8, 9], [10, 11, 12]]);
    expect((await chain.readRecent()).map(({ number }) => number)).toEqual(Array.from({ length: 13 }, (_, i) => i));
  });
});
