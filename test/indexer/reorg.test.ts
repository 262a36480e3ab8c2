import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import {
  accountMetadata,
  listMetadata,
  listOp,
  locationBytes,
  opBytes,
  storageLocation,
  transfer,
  word,
} from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { createRandom } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { ANN, BOB, CAT, DAN, follow, slotOf, tag, unfollow } from '../model/small-history.ts';
import { reorgDepths } from '../support/effort.ts';
import { anyEngine, type TestDatabase } from '../support/engines.ts';
import { fetchAnswer, type Service, startService } from '../support/service.ts';
import type { EmittedLog, EvmNode } from './evm-node.ts';
import { CHAINS, play, type RunningIndexer, startChains, startIndexer, untilIndexed } from './harness.ts';
import {
  discard,
  expectCleanReplay,
  loggedReorgs,
  randomBlock,
  rankedDump,
  readCursor,
  until,
} from './reorg-support.ts';

/** The final block is sixteen blocks behind the head. */
const EPOCH = 8;

/** Lists that do not occur in random logs. */
const ANNS = slotOf(100n);
const BOBS = slotOf(101n, 10);
const CATS = slotOf(102n, 1);
const OTHER = slotOf(103n);
const ownList = (owner: typeof ANN, list: bigint, slot: typeof ANNS): EmittedLog[] => [
  transfer(ZERO_ADDRESS, owner, list),
  storageLocation(list, locationBytes(slot)),
  accountMetadata(owner, 'primary-list', word(list)),
];

/** Blocks that are rolled back, and the tables that they change. */
const ROLLED_BACK: [what: string, chainId: number, blocks: EmittedLog[][], tables: string[]][] = [
  ['a follow', 8453, [[follow(ANNS, DAN)]], ['logs', 'edges', 'accounts', 'notifications', 'leaderboard']],
  ['an unfollow', 8453, [[unfollow(ANNS, BOB)]], ['edges', 'accounts', 'notifications', 'leaderboard']],
  ['a tag', 8453, [[tag(ANNS, BOB, 'friend')]], ['edge_tags', 'notifications']],
  ['a block tag', 10, [[tag(BOBS, ANN, 'block')]], ['edges', 'accounts', 'notifications']],
  ['ops on another chain', 1, [[follow(CATS, BOB)], [follow(CATS, ANN)]], ['edges', 'accounts']],
  ['an op with an unknown opcode', 10, [[listOp(BOBS, opBytes(99, ANN))]], ['logs', 'state']],
  ['a mint', 8453, [[transfer(ZERO_ADDRESS, DAN, 104n)]], ['lists', 'state']],
  ['a transfer', 8453, [[transfer(ANN, DAN, 100n)]], ['lists']],
  ['a burn', 8453, [[transfer(ANN, ZERO_ADDRESS, 100n)]], ['lists']],
  ['a new location', 8453, [[storageLocation(100n, locationBytes(OTHER))]], ['lists', 'accounts', 'edges']],
  ['a new user', 8453, [[listMetadata(ANNS, 'user', DAN)]], ['slots', 'lists', 'accounts', 'edges']],
  ['a new user on another chain', 10, [[listMetadata(BOBS, 'user', DAN)]], ['slots', 'lists', 'accounts', 'edges']],
  ['a new manager', 8453, [[listMetadata(ANNS, 'manager', DAN)]], ['slots']],
  ['another primary list', 8453, [[accountMetadata(ANN, 'primary-list', word(104n))]], ['accounts', 'edges']],
  [
    'a whole list with its follows',
    8453,
    [...ownList(DAN, 104n, OTHER), listMetadata(OTHER, 'user', DAN), follow(OTHER, ANN)].map((log) => [log]),
    ['lists', 'slots', 'accounts', 'edges', 'notifications', 'leaderboard'],
  ],
];

describe.each(anyEngine)('a reorg, indexed into $name', (engine) => {
  let nodes: EvmNode[];
  let database: TestDatabase;
  let store: Store;
  let indexer: RunningIndexer;
  let service: Service;

  beforeAll(async () => {
    [nodes, database] = await Promise.all([startChains({ epoch: EPOCH }), engine.create()]);
    store = await database.open();
    await play(nodes, randomHistory(11, { logs: 80 }));
    await on(8453).mine([...ownList(ANN, 100n, ANNS), ...ownList(BOB, 101n, BOBS), ...ownList(CAT, 102n, CATS)]);
    await on(8453).mine([listMetadata(ANNS, 'user', ANN), follow(ANNS, BOB), follow(ANNS, CAT)]);
    await on(10).mine([listMetadata(BOBS, 'user', BOB), follow(BOBS, ANN)]);
    await on(1).mine([listMetadata(CATS, 'user', CAT)]);
    for (const node of nodes) await node.mineMany(2 * EPOCH);
    indexer = startIndexer(store, nodes, { ranksMs: 3_600_000 });
    service = await startService(store);
    await untilIndexed(store, nodes, indexer);
  });
  afterAll(async () => {
    try {
      await service.close();
      await indexer.stop();
    } finally {
      await Promise.all(nodes.map((node) => node.stop()));
      await discard(store, database);
    }
  });

  const on = (chainId: number): EvmNode => {
    const node = nodes.find((one) => one.chainId === chainId);
    if (node === undefined) throw new Error(`no node of chain ${chainId}`);
    return node;
  };
  const indexed = () => untilIndexed(store, nodes, indexer);
  const depthsOn = (chainId: number) =>
    loggedReorgs(indexer)
      .filter(({ chain }) => chain === chainId)
      .map(({ depth }) => depth);

  it.each(CHAINS.map((chainId, i) => [chainId, 500 + i]))(
    'is followed on chain %i to every depth up to the final block (seed %i)',
    async (chainId, seed) => {
      const depths = reorgDepths(chainId);
      const random = createRandom(seed);
      const node = on(chainId);
      const known = depthsOn(chainId).length;
      for (const depth of depths) {
        for (let i = 0; i < depth; i++) await node.mine(randomBlock(random, chainId));
        await indexed();
        await node.rollBack(depth);
        const blocks = Math.max(1, depth - 1 + random.int(3));
        for (let i = 0; i < blocks; i++) await node.mine(random.chance(0.7) ? randomBlock(random, chainId) : []);
        await indexed();
        await expectCleanReplay(store, nodes);
      }
      expect(depthsOn(chainId).slice(known)).toEqual(depths);
    },
  );

  it.each(ROLLED_BACK)('rolls back %s on chain %i', async (_what, chainId, blocks, tables) => {
    const node = on(chainId);
    const known = loggedReorgs(indexer).length;
    await indexed();
    const before = await rankedDump(store);
    for (const logs of blocks) await node.mine(logs);
    await indexed();
    const between = await rankedDump(store);
    expect(tables.filter((table) => JSON.stringify(between[table]) === JSON.stringify(before[table]))).toEqual([]);
    await node.rollBack(blocks.length);
    await node.mine();
    await indexed();
    expect(await rankedDump(store)).toEqual(before);
    const logs = blocks.flat().length;
    expect(loggedReorgs(indexer).slice(known)).toEqual([{ chain: chainId, depth: blocks.length, logs }]);
  });

  it('is followed when the new branch is at first shorter than the old one', async () => {
    const node = on(8453);
    for (const target of [BOB, CAT, DAN]) await node.mine([tag(ANNS, target, 'old')]);
    await node.mineMany(2);
    await indexed();
    const height = await node.blockNumber();
    await node.rollBack(5);
    await node.mine([tag(ANNS, DAN, 'new')]);
    await indexed();
    expect((await readCursor(store, 8453))?.number).toBe(height - 4);
    await expectCleanReplay(store, nodes);
    // Again, before it is as long: no block of the first branch may be left above.
    await node.rollBack(1);
    await node.mine([tag(ANNS, DAN, 'newer')]);
    await indexed();
    expect(depthsOn(8453).slice(-2)).toEqual([5, 1]);
    for (let i = 0; i < 6; i++) await node.mine([tag(ANNS, CAT, `new ${i}`)]);
    await indexed();
    expect((await readCursor(store, 8453))?.number).toBe(height + 2);
    await expectCleanReplay(store, nodes);
  });

  it('is followed on all chains at once', async () => {
    for (const node of nodes) await node.mineMany(3);
    await indexed();
    await Promise.all(nodes.map((node) => node.rollBack(3)));
    await Promise.all([
      on(8453).mine([follow(ANNS, DAN)]),
      on(10).mine([unfollow(BOBS, ANN)]),
      on(1).mine([follow(CATS, ANN)]),
    ]);
    await indexed();
    await expectCleanReplay(store, nodes);
    expect(CHAINS.map((chainId) => depthsOn(chainId).at(-1))).toEqual([3, 3, 3]);
  });

  it('is not detected when a node returns an older head of the same branch', async () => {
    const node = on(8453);
    for (const target of [BOB, CAT, DAN]) await node.mine([tag(ANNS, target, 'held')]);
    await indexed();
    const height = await node.blockNumber();
    const before = await rankedDump(store);
    const known = loggedReorgs(indexer).length;
    await node.rollBack(3);
    await until(async () => (await readCursor(store, 8453))?.head_number === height - 3, indexer);
    expect((await readCursor(store, 8453))?.number).toBe(height);
    expect(await rankedDump(store)).toEqual(before);
    expect(loggedReorgs(indexer).length).toBe(known);
    await node.mine();
    await indexed();
    expect(depthsOn(8453).at(-1)).toBe(3);
    await expectCleanReplay(store, nodes);
  });

  it('is counted per chain in the database and in the metrics', async () => {
    const counted = async (chainId: number) => {
      const { text } = await fetchAnswer(`${service.url}/metrics`);
      return Number(new RegExp(`^kith_reorgs_total\\{chain="${chainId}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    };
    await on(10).mineMany(2);
    await indexed();
    await on(10).rollBack(2);
    await on(10).mine();
    await indexed();
    for (const chainId of CHAINS) {
      const logged = depthsOn(chainId).length;
      await until(async () => (await counted(chainId)) >= logged, indexer);
      expect(await counted(chainId)).toBe(logged);
      const rows = await store.transaction((tx) =>
        tx.read('counters', ['name', 'label'], [['reorgs', String(chainId)]]),
      );
      expect(rows).toEqual([{ name: 'reorgs', label: String(chainId), value: logged }]);
    }
    expect(depthsOn(10).at(-1)).toBe(2);
  });
});
