import { beforeEach, describe, expect, it } from 'vitest';
import { continueFrom, rewindTo } from '../../src/indexer/cursor.ts';
import { CursorMovedError } from '../../src/indexer/cursor-moved-error.ts';
import type { createChainWriter } from '../../src/indexer/indexed-chain.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { BlockHeader } from '../../src/rpc/check-logs.ts';
import type { Call } from '../../src/rpc/endpoint.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { allRows, useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { indexOnce, startIndexer, untilIndexed } from './harness.ts';
import { startNodeProxy } from './node-proxy.ts';
import { expectCleanReplay, readCursor, until } from './reorg-support.ts';
import { createTestState } from './test-state.ts';
import { useNode } from './use-node.ts';

const CHAIN = 8453;
const hashOf = (number: number, branch = 'a'): `0x${string}` =>
  `0x${branch.repeat(60)}${String(number).padStart(4, '0')}`;
const header = (number: number, branch = 'a', parent = branch): BlockHeader => ({
  number,
  hash: hashOf(number, branch),
  parentHash: hashOf(number - 1, parent),
  time: number,
  logsBloom: '0x00',
});
const heads = { head: header(20), finalized: 5 };

describe.each(engines)('an event that does not continue the blocks stored in $name', (engine) => {
  const own = useOwnDatabase(engine);
  let store: Store;
  let writer: ReturnType<typeof createChainWriter>;
  const range = (after: BlockHeader | null, last: BlockHeader) => ({ after, logs: [], last, heads, rangeSize: 10 });
  const block = (stored: BlockHeader) => ({ logs: [], block: stored, heads });

  beforeEach(async () => {
    store = await own.open();
    ({ writer } = createTestState(store, { chainId: CHAIN, now: () => 0 }));
    await store.transaction(async (tx) => {
      await writer.storeRange(tx, range(null, header(5)));
      for (const number of [6, 7, 8]) await writer.storeBlocks(tx, [block(header(number))]);
    });
  });

  const reorg = (last: BlockHeader, fork: BlockHeader) => ({
    last,
    fork: { number: fork.number, hash: fork.hash },
    time: 1,
  });
  const snapshot = { chainId: CHAIN, startBlock: 0, time: 3, ...hashAt(3), final: hashAt(3) };

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['a block above a missing one', (tx) => writer.storeBlocks(tx, [block(header(10))])],
    ['a block below the last one', (tx) => writer.storeBlocks(tx, [block(header(8))])],
    ['a block of another branch', (tx) => writer.storeBlocks(tx, [block(header(9, 'b'))])],
    ['a range after a later block', (tx) => writer.storeRange(tx, range(header(9), header(12)))],
    ['a range after an earlier block', (tx) => writer.storeRange(tx, range(header(7), header(12)))],
    [
      'a range after another block of the same height',
      (tx) => writer.storeRange(tx, range(header(8, 'b'), header(12))),
    ],
    ['the first range of an empty database', (tx) => writer.storeRange(tx, range(null, header(12)))],
    ['a reorg of later blocks', (tx) => writer.rewind(tx, reorg(header(9), header(6)))],
    ['a reorg of another branch', (tx) => writer.rewind(tx, reorg(header(8, 'b'), header(6)))],
    ['a reorg to a block that is not stored', (tx) => writer.rewind(tx, reorg(header(8), header(6, 'b')))],
    ['a snapshot', (tx) => continueFrom(tx, deployments.mainnet, snapshot)],
  ])('is refused, and changes nothing: %s', async (_, write) => {
    const before = await allRows(store);
    await expect(store.transaction(write)).rejects.toBeInstanceOf(CursorMovedError);
    expect(await allRows(store)).toEqual(before);
  });

  it('is refused in an empty database', async () => {
    await store.transaction(async (tx) => void (await rewindTo(tx, CHAIN, 0)));
    const write = (work: (tx: Transaction) => Promise<unknown>) => expect(store.transaction(work)).rejects;
    await write((tx) => writer.storeBlocks(tx, [block(header(9))])).toBeInstanceOf(CursorMovedError);
    await write((tx) => writer.storeRange(tx, range(header(8), header(9)))).toBeInstanceOf(CursorMovedError);
    await write((tx) => writer.rewind(tx, reorg(header(8), header(6)))).toBeInstanceOf(CursorMovedError);
    expect(await readCursor(store, CHAIN)).toBeUndefined();
  });
});

function hashAt(number: number) {
  return { number, hash: hashOf(number) };
}

const isRange = ({ method, params: [filter] }: Call) =>
  method === 'eth_getLogs' && (filter as { fromBlock?: string }).fromBlock !== undefined;
const isHead = (call: Call) => call.method === 'eth_getLogs' && !isRange(call);

describe.each(engines)('an indexer into $name whose database goes back while a node answers (seed 91)', (engine) => {
  const random = createRandom(91);
  const node = useNode(engine, { epoch: 2, random, blocks: 30 });

  it.each([
    ['at the head', isHead, 2],
    ['in a backfill', isRange, 30],
  ])('leaves out no block %s', async (_, isAsked, blocks) => {
    await indexOnce(node.store, [node.evm]);
    let hold: Promise<void> | undefined;
    let held = 0;
    let release = () => {};
    const slow = await startNodeProxy(node.evm.url, async (call, forward) => {
      if (isAsked(call) && hold !== undefined) {
        held += 1;
        await hold;
      }
      return forward(call);
    });
    const indexer = startIndexer(node.store, [node.evm], { rpcUrls: new Map([[CHAIN, [slow.url]]]) });
    try {
      await untilIndexed(node.store, [node.evm], indexer);
      hold = new Promise((resolve) => {
        release = resolve;
      });
      await node.mine(blocks);
      await until(() => held > 0, indexer);
      const stored = (await readCursor(node.store, CHAIN))?.number ?? 0;
      // As if the newest commits were lost.
      await node.store.transaction((tx) => rewindTo(tx, CHAIN, stored - 12));
      hold = undefined;
      release();
      await untilIndexed(node.store, [node.evm], indexer);
      expect(indexer.log.join('')).toMatch(
        /starting again from what is stored: chain 8453: expected the last stored block/,
      );
    } finally {
      release();
      await indexer.stop();
      await slow.stop();
    }
    await expectCleanReplay(node.store, [node.evm]);
  });
});
