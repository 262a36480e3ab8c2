import { describe, expect, it } from 'vitest';
import { followHead } from '../../src/indexer/follow-head.ts';
import type { BlockHeader, ChainNode } from '../../src/rpc/chain-node.ts';
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
      fetchRange: () => Promise.reject(new Error('unexpected fetchRange')),
      fetchLogs: async () => [],
    };
    const { cursor, writer, handle } = createTestState(store, { chainId: CHAIN, now: Date.now });
    const heads = { head: orphan, finalized: 0 };
    for (const last of canonical.slice(0, 2)) {
      await store.transaction((tx) => writer.storeRange(tx, { logs: [], last, heads, rangeSize: 10_000 }));
    }
    const options = { node, cursor, mayHaveLogs: () => false, sleep: async () => undefined };
    for await (const event of followHead(options, heads)) await handle(event);
    expect(await cursor.readCursor()).toMatchObject({ number: 2, hash: canonical[2]?.hash });
  });
});
