import { describe, expect, it } from 'vitest';
import { followHead } from '../../src/indexer/index-chain.ts';
import { createRangeSize } from '../../src/indexer/range-size.ts';
import type { ChainNode } from '../../src/rpc/chain-node.ts';
import type { BlockHeader } from '../../src/rpc/check-logs.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { createTestState } from './test-state.ts';

const CHAIN = 8453;
const block = (number: number, branch: string, parent = branch): BlockHeader => ({
  number,
  hash: `0x${branch.repeat(60)}${String(number).padStart(4, '0')}`,
  parentHash: `0x${parent.repeat(60)}${String(number - 1).padStart(4, '0')}`,
  time: number,
  logsBloom: '0x00',
});

// Found by the simulation with seeds 9 and 31.
describe.each(anyEngine)('followHead with a head that is orphaned after the poll, on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const canonical = [block(0, 'a'), block(1, 'a'), block(2, 'b', 'a')];
  const orphan = block(2, 'a');

  it('does not alternate between the two branches', async () => {
    const store = await own.open();
    let requests = 0;
    const answer = async (found: BlockHeader | undefined) => {
      if (++requests > 20) throw new Error('alternates between the branches');
      return found ?? null;
    };
    const node: ChainNode = {
      chainId: CHAIN,
      fetchBlock: (at) => answer(canonical.find(({ number }) => number === at)),
      fetchBlockByHash: (hash) => answer(canonical.find((known) => known.hash === hash)),
      fetchHeads: () => Promise.reject(new Error('unexpected fetchHeads')),
      fetchHashes: () => Promise.reject(new Error('unexpected fetchHashes')),
      requireShared: async () => undefined,
      fetchRange: () => Promise.reject(new Error('unexpected fetchRange')),
      fetchLogs: async () => [],
    };
    const { chain, writer } = createTestState(store, { chainId: CHAIN, now: Date.now });
    const heads = { head: orphan, finalized: 0 };
    let after: BlockHeader | null = null;
    for (const last of canonical.slice(0, 2)) {
      const range = { after, logs: [], last, heads, rangeSize: 10_000 };
      await store.transaction((tx) => writer.storeRange(tx, range));
      after = last;
    }
    const tools = { size: createRangeSize(), now: () => 0, sleep: async () => undefined };
    await followHead(
      { chain, node, startBlock: 0, readHistory: async () => false, mayHaveLogs: () => false, ...tools },
      heads,
    );
    expect(await chain.readCursor()).toMatchObject({ number: 2, hash: canonical[2]?.hash });
  });
});
