import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Call } from '../../src/rpc/endpoint.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { anyEngine, type TestDatabase } from '../support/engines.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, type RunningIndexer, startIndexer, untilIndexed } from './harness.ts';
import { type Answerer, NodeError, type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { discard, expectCleanReplay, loggedReorgs, randomBlock, readCursor, until } from './reorg-support.ts';

const CHAIN = 8453;
/** The final block is four blocks behind the head. */
const EPOCH = 2;
const BLOCKS = 16;
const OTHER_HASH = `0x${'ab'.repeat(32)}`;

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
}

const isRange = ({ method, params: [filter] }: Call) =>
  method === 'eth_getLogs' && (filter as { fromBlock?: string }).fromBlock !== undefined;
const plus = (quantity: string, added: number) => `0x${(Number(quantity) + added).toString(16)}`;

/** Changes the first log of an answer. */
const first = (change: (log: RawLog) => object) => (logs: RawLog[]) =>
  logs.map((log, i) => (i === 0 ? { ...log, ...change(log) } : log));

/** Wrong answers to eth_getLogs for a range of final blocks. */
const WRONG_LOGS: [string, (logs: RawLog[]) => object[]][] = [
  ['another block number', first(({ blockNumber }) => ({ blockNumber: plus(blockNumber, 1) }))],
  ['another time', first(({ blockTimestamp }) => ({ blockTimestamp: plus(blockTimestamp, 60) }))],
  [
    'a time that is late in all logs',
    (logs) => logs.map((log) => ({ ...log, blockTimestamp: plus(log.blockTimestamp, 60) })),
  ],
  ['a block hash that does not exist', first(() => ({ blockHash: OTHER_HASH }))],
  ['the hash of another block', (logs) => first(() => ({ blockHash: logs.at(-1)?.blockHash }))(logs)],
  ['a block outside of the range', first(({ blockNumber }) => ({ blockNumber: plus(blockNumber, 1_000_000) }))],
  ['a contract that was not asked for', first(() => ({ address: `0x${'77'.repeat(20)}` }))],
  ['an event that was not asked for', first(({ topics }) => ({ topics: [OTHER_HASH, ...topics.slice(1)] }))],
  ['more than four topics', first(({ topics }) => ({ topics: [...topics, ...Array(5).fill(OTHER_HASH)] }))],
  ['a position that occurs twice', (logs) => [...logs, { ...logs[0], data: logs.at(-1)?.data }]],
];

describe.each(anyEngine)('an indexer into $name, from a hostile node (seed 61)', (engine) => {
  const random = createRandom(61);
  let node: EvmNode;
  let database: TestDatabase;
  let store: Store;
  let proxies: NodeProxy[];
  let indexer: RunningIndexer | undefined;

  beforeAll(async () => {
    node = await startNode(CHAIN, { epoch: EPOCH });
    await node.install(addressesOn(CHAIN));
    for (let i = 0; i < BLOCKS; i++) await node.mine(randomBlock(random, CHAIN));
  });
  afterAll(() => node.stop());
  beforeEach(async () => {
    proxies = [];
    database = await engine.create();
    store = await database.open();
  });
  afterEach(async () => {
    await indexer?.stop();
    indexer = undefined;
    for (const proxy of proxies) await proxy.stop();
    await discard(store, database);
  });

  /** Starts an indexer through a proxy for each behaviour. */
  const indexThrough = async (...answers: Answerer[]) => {
    const urls: string[] = [];
    for (const answer of answers) {
      const proxy = await startNodeProxy(node.url, answer);
      proxies.push(proxy);
      urls.push(proxy.url);
    }
    const running = (indexer = startIndexer(store, [node], {
      rpcUrls: new Map([[CHAIN, urls]]),
      ranksMs: 3_600_000,
    }));
    return { running, indexed: () => untilIndexed(store, [node], running) };
  };
  const honest: Answerer = (call, forward) => forward(call);

  it.each(WRONG_LOGS)('rejects a range of final blocks in which a log has %s', async (_, change) => {
    let lies = 0;
    const { indexed } = await indexThrough(async (call, forward) => {
      const answer = await forward(call);
      if (!isRange(call) || lies === 2) return answer;
      lies += 1;
      return change(answer as RawLog[]);
    });
    await indexed();
    expect(lies).toBe(2);
    await expectCleanReplay(store, [node]);
  });

  it.each([
    ['another number', ({ number }: Block) => ({ number: plus(number, -1) })],
    ['no number', () => ({ number: null })],
    ['a hash that is not 32 bytes', () => ({ hash: '0x12' })],
  ])('rejects a block that was requested by number and has %s', async (_, change) => {
    let lies = 0;
    const { indexed } = await indexThrough(async (call, forward) => {
      const answer = await forward(call);
      if (call.method !== 'eth_getBlockByNumber' || !/^0x/.test(String(call.params[0])) || lies === 3) return answer;
      lies += 1;
      return { ...(answer as Block), ...change(answer as Block) };
    });
    await indexed();
    expect(lies).toBe(3);
    await expectCleanReplay(store, [node]);
  });

  it.each([
    'query returned more than 10000 results. Try with this block range [0x5, 0x4].',
    'query returned more than 10000 results. Try with this block range [0xffff, 0x4].',
    'range [0x0, 0x10] is too large, this block range should work: [0x5, 0x4]',
    'range [0x0, 0x10] is too large, this block range should work: [0xffff, 0x4]',
    'Max range: 0',
  ])('halves a range that is refused with the impossible suggestion: %s', async (message) => {
    const { indexed } = await indexThrough(async (call, forward) => {
      const { fromBlock, toBlock } = (call.params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
      if (isRange(call) && Number(toBlock) - Number(fromBlock) > 3) throw new NodeError(-32_005, message);
      return forward(call);
    });
    await indexed();
    await expectCleanReplay(store, [node]);
  });

  it('writes nothing from a node that has moved to another chain, names it, and goes on when it is back', async () => {
    const other = await startNode(10, { epoch: EPOCH });
    onTestFinished(() => other.stop());
    while ((await other.blockNumber()) < BLOCKS + 2 * EPOCH) await other.mine();
    let isMoved = false;
    const { indexed } = await indexThrough(({ method, params }, forward) =>
      isMoved ? other.request(method, [...params]) : forward({ method, params }),
    );
    await indexed();
    const before = await readCursor(store, CHAIN);
    isMoved = true;
    const faults = () => store.transaction((tx) => tx.query((db) => db.selectFrom('chain_faults').selectAll()));
    await expect.poll(faults).toMatchObject([{ chain_id: CHAIN, message: expect.stringMatching(/chain 10/) }]);
    expect(await readCursor(store, CHAIN)).toMatchObject({ number: before?.number, hash: before?.hash });
    isMoved = false;
    await expect.poll(faults).toEqual([]);
    await expectCleanReplay(store, [node]);
  });

  /** Answers with another hash for one height while `isLying`. */
  const wrongHashAt =
    (height: () => number, isLying: () => boolean): Answerer =>
    async (call, forward) => {
      const answer = (await forward(call)) as Block | null;
      const isAsked = call.method === 'eth_getBlockByNumber' && Number(call.params[0]) === height();
      return isAsked && isLying() ? { ...answer, hash: OTHER_HASH } : answer;
    };

  /** Indexes the final blocks only, mines more, and returns the height of the cursor. */
  const indexFinal = async () => {
    const { running } = await indexThrough(({ method, params }, forward) =>
      forward({ method, params: params[0] === 'latest' ? ['finalized', false] : params }),
    );
    const height = (await node.blockNumber()) - 2 * EPOCH;
    await until(async () => (await readCursor(store, CHAIN))?.number === height, running);
    await running.stop();
    for (let i = 0; i < EPOCH; i++) await node.mine(randomBlock(random, CHAIN));
    return height;
  };

  it('does not take one wrong hash at the final block for a reorg', async () => {
    const height = await indexFinal();
    let lies = 0;
    const { indexed, running } = await indexThrough(
      wrongHashAt(
        () => height,
        () => lies++ === 0,
      ),
    );
    await indexed();
    expect(lies).toBeGreaterThan(1);
    expect(loggedReorgs(running)).toEqual([]);
    await expectCleanReplay(store, [node]);
  });

  it('does not take the hash of one node for a reorg below the final block while another node disagrees', async () => {
    const height = await indexFinal();
    let isLying = true;
    let lies = 0;
    const answerWrong = wrongHashAt(
      () => height,
      () => isLying,
    );
    const lying: Answerer = (call, forward) => {
      if (Number(call.params[0]) === height) lies += 1;
      return answerWrong(call, forward);
    };
    const { indexed, running } = await indexThrough(lying, honest);
    await until(() => lies >= 3, running);
    expect((await readCursor(store, CHAIN))?.number).toBe(height);
    isLying = false;
    await indexed();
    await expectCleanReplay(store, [node]);
  });

  it('follows a branch whose ancestry never ends only as far as the kept blocks go', async () => {
    const { indexed } = await indexThrough(honest);
    await indexed();
    await indexer?.stop();
    const before = await readCursor(store, CHAIN);
    let isLying = true;
    let parents = 0;
    const { running, indexed: indexedAgain } = await indexThrough(async (call, forward) => {
      const answer = (await forward(call)) as Block | null;
      if (!isLying) return answer;
      if (call.method === 'eth_getBlockByHash') {
        const head = (await forward({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as Block;
        parents += 1;
        return { ...head, hash: call.params[0], parentHash: `0x${String(parents).padStart(64, '0')}` };
      }
      return call.params[0] === 'latest' ? { ...answer, hash: OTHER_HASH, parentHash: `0x${'cd'.repeat(32)}` } : answer;
    });
    const asked = () => running.log.filter((line) => line.includes('no RPC node is available')).length;
    await until(() => asked() > 0, running);
    expect(parents).toBeLessThan(20);
    expect((await readCursor(store, CHAIN))?.hash).toBe(before?.hash);
    isLying = false;
    await indexedAgain();
    await expectCleanReplay(store, [node]);
  });
});
