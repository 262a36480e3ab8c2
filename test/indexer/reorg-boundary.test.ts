import { describe, expect, it, onTestFinished } from 'vitest';
import type { Call } from '../../src/rpc/endpoint.ts';
import { createRandom } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { anyEngine } from '../support/engines.ts';
import { play, type RunningIndexer, startChains, startIndexer, untilIndexed } from './harness.ts';
import { startNodeProxy } from './node-proxy.ts';
import { discard, expectCleanReplay, loggedReorgs, randomBlock, readCursor, until } from './reorg-support.ts';
import { useNode } from './use-node.ts';

/** The final block is ten blocks behind the head. */
const EPOCH = 5;
const FINAL = 2 * EPOCH;

describe.each(anyEngine)('a reorg across the boundary of backfill and head, indexed into $name (seed 21)', (engine) => {
  const random = createRandom(21);
  const node = useNode(engine, { epoch: EPOCH, random, blocks: FINAL + 10 });
  /** Indexes up to the head, runs `meanwhile`, indexes up to the new head, and stops. */
  const index = async (meanwhile = () => Promise.resolve()): Promise<RunningIndexer> => {
    const indexer = startIndexer(node.store, [node.evm], { ranksMs: 3_600_000 });
    await untilIndexed(node.store, [node.evm], indexer);
    await meanwhile();
    await untilIndexed(node.store, [node.evm], indexer);
    await indexer.stop();
    return indexer;
  };
  const counted = async () => {
    const rows = await node.store.transaction((tx) => tx.read('counters', ['name', 'label'], [['reorgs', '8453']]));
    return rows.map(({ value }) => value);
  };
  const depths = (indexer: RunningIndexer) => loggedReorgs(indexer).map(({ depth }) => depth);

  it('rolls back to the last block of a backfilled range', async () => {
    const indexer = await index(async () => {
      await node.evm.rollBack(FINAL);
      await node.mine(FINAL + 1);
    });
    expect(depths(indexer)).toEqual([FINAL]);
    await expectCleanReplay(node.store, [node.evm]);
  });

  it('rolls back blocks of an earlier run', async () => {
    await index();
    await node.mine(3);
    const indexer = await index(async () => {
      await node.evm.rollBack(7);
      await node.mine(5);
    });
    expect(depths(indexer)).toEqual([7]);
    await expectCleanReplay(node.store, [node.evm]);
  });

  it('is detected after a restart', async () => {
    await index();
    await node.evm.rollBack(4);
    await node.mine(6);
    expect(depths(await index())).toEqual([4]);
    await expectCleanReplay(node.store, [node.evm]);
  });

  it('is counted even if the indexer stops right after it', async () => {
    for (let reorgs = 1; reorgs <= 2; reorgs++) {
      await index(async () => {
        await node.evm.rollBack(2);
        await node.mine(2);
      });
      expect(await counted()).toEqual([reorgs]);
    }
  });

  it('is detected after a restart when the other branch has become final', async () => {
    await index();
    const { number = 0 } = (await readCursor(node.store, 8453)) ?? {};
    await node.evm.rollBack(4);
    await node.mine(4 + FINAL + 5);
    const indexer = await index();
    expect((await readCursor(node.store, 8453))?.finalized_number).toBeGreaterThan(number);
    expect(depths(indexer)).toEqual([4]);
    await expectCleanReplay(node.store, [node.evm]);
  });

  it('is not detected when the chain has only grown', async () => {
    await index();
    await node.mine(FINAL + 5);
    expect(depths(await index())).toEqual([]);
    await expectCleanReplay(node.store, [node.evm]);
  });
});

const isRange = ({ method, params: [filter] }: Call) =>
  method === 'eth_getLogs' && (filter as { fromBlock?: string }).fromBlock !== undefined;

describe.each(anyEngine)('a reorg during the backfill of another chain into $name (seed 22)', (engine) => {
  it('is followed, and the rows equal a clean replay', async () => {
    const random = createRandom(22);
    const [nodes, database] = await Promise.all([startChains({ epoch: EPOCH }), engine.create()]);
    const [base, optimism, ethereum] = nodes;
    if (base === undefined || optimism === undefined || ethereum === undefined) throw new Error('three chains');
    const store = await database.open();
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      await discard(store, database);
    });
    await play(nodes, randomHistory(22, { logs: 80 }));
    for (const node of nodes) await node.mineMany(FINAL);
    const first = startIndexer(store, nodes);
    await untilIndexed(store, nodes, first);
    await first.stop();

    // One chain needs a backfill, and its node delays the responses.
    for (let i = 0; i < 30; i++) await optimism.mine(randomBlock(random, 10));
    for (let i = 0; i < 4; i++) await base.mine(randomBlock(random, 8453));
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = await startNodeProxy(optimism.url, async (call, forward) => {
      if (isRange(call)) await released;
      return forward(call);
    });
    onTestFinished(() => slow.stop());
    const rpcUrls = new Map(nodes.map(({ chainId, url }) => [chainId, [chainId === 10 ? slow.url : url]]));
    const indexer = startIndexer(store, nodes, { rpcUrls, rpcTimeoutMs: 60_000, ranksMs: 3_600_000 });
    await until(() => slow.calls.some(isRange), indexer);
    const held = await readCursor(store, 10);
    await untilIndexed(store, [base, ethereum], indexer);

    await base.rollBack(4);
    for (let i = 0; i < 5; i++) await base.mine(randomBlock(random, 8453));
    await untilIndexed(store, [base, ethereum], indexer);
    // A second reorg, on the chain that is being backfilled, above its final block.
    await optimism.rollBack(3);
    for (let i = 0; i < 5; i++) await optimism.mine(randomBlock(random, 10));
    expect((await readCursor(store, 10))?.number).toBe(held?.number);
    release();
    await untilIndexed(store, nodes, indexer);
    await indexer.stop();
    expect(loggedReorgs(indexer)).toEqual([{ chain: 8453, depth: 4, logs: expect.any(Number) }]);
    await expectCleanReplay(store, nodes);
  });
});
