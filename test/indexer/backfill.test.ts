import { keccak256, numberToHex, stringToHex } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BackfillOptions, backfill } from '../../src/indexer/backfill.ts';
import type { IndexedChain } from '../../src/indexer/indexed-chain.ts';
import { createRangeSize } from '../../src/indexer/range-size.ts';
import type { LogLoader } from '../../src/ingest/load-logs.ts';
import { parseRawLog } from '../../src/protocol/parse-log.ts';
import { RemoteError, type RemoteFault } from '../../src/remote/remote-error.ts';
import type { ChainNode } from '../../src/rpc/chain-node.ts';
import type { BlockHeader } from '../../src/rpc/check-logs.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { dumpCleanReplay } from '../support/clean-replay.ts';
import { sizes } from '../support/dump.ts';
import { anyEngine, engines, type TestDatabase } from '../support/engines.ts';
import { discard, rankedDump } from './reorg-support.ts';
import { createTestState } from './test-state.ts';

const CHAIN = 8453;
const FIRST = 20_180_000;
const SEED = 7;
/** Blocks are spread out, so that the history spans many ranges. */
const RAW = randomHistory(SEED, { logs: 300 })
  .filter((log) => log.chainId === CHAIN)
  .map((log) => ({ ...log, blockNumber: numberToHex(FIRST + (Number(log.blockNumber) - FIRST) * 60) }));
const LOGS = RAW.map(parseRawLog);
const LAST = Math.max(...LOGS.map((log) => log.blockNumber)) + 100;

function headerOf(number: number): BlockHeader {
  const log = LOGS.find(({ blockNumber }) => blockNumber === number);
  const hash = log?.blockHash ?? keccak256(stringToHex(`${SEED} ${CHAIN} ${number}`));
  const before = LOGS.findLast(({ blockNumber }) => blockNumber <= number);
  return { number, hash, parentHash: '0x', time: before?.blockTime ?? 0, logsBloom: '0x' };
}

/** Runs before a range is answered. What it throws is the answer. */
type Before = (from: number, to: number, logs: number) => void | Promise<void>;

/** A node that has the whole history. */
function createNode(before: Before = () => undefined) {
  const requests: [from: number, to: number][] = [];
  const unused = () => Promise.reject(new Error('backfill requests ranges only'));
  const node: ChainNode = {
    chainId: CHAIN,
    fetchBlock: async (number) => headerOf(number),
    fetchHeads: unused,
    fetchBlockByHash: unused,
    fetchHashes: unused,
    requireShared: async () => undefined,
    fetchLogs: unused,
    async fetchRange(from, to) {
      requests.push([from, to]);
      const logs = LOGS.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to);
      await before(from, to, logs.length);
      return { logs, last: headerOf(to) };
    },
  };
  return { node, requests };
}

const refusal = (message: string) =>
  new RemoteError('node.example', 'eth_getLogs', { kind: 'refused', code: -1, message });

describe.each(anyEngine)('backfill into $name', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let chain: IndexedChain;
  let loader: LogLoader;

  beforeEach(async () => {
    database = await engine.create();
    store = await database.open();
    ({ loader, chain } = createTestState(store, { chainId: CHAIN, now: () => 0 }));
  });
  afterEach(() => discard(store, database));

  /** Backfills from the cursor up to `to`. `stored` lists every range that was written. */
  async function run(node: ChainNode, options: Partial<BackfillOptions> = {}, to = LAST) {
    const stored: { to: number; logs: number }[] = [];
    const heads = { head: headerOf(to + 10), finalized: to };
    const quick = { now: () => 0, sleep: () => Promise.resolve(), size: createRangeSize() };
    const start = await chain.readCursor();
    const from = start === null ? FIRST : start.number + 1;
    const writeAll = async () => {
      chain.startBackfill(from, to);
      for await (const blocks of backfill({ node, ...quick, ...options }, { from, to, after: start })) {
        await chain.storeRange({ ...blocks, heads, rangeSize: quick.size.current() });
        stored.push({ to: blocks.last.number, logs: blocks.logs.length });
      }
    };
    return { stored, ended: writeAll() };
  }

  async function expectAllOf(runs: { to: number; logs: number }[]): Promise<void> {
    const ends = runs.map(({ to }) => to);
    expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b));
    expect(ends.at(-1)).toBe(LAST);
    expect(runs.reduce((sum, { logs }) => sum + logs, 0)).toBe(LOGS.length);
    expect(await chain.readCursor()).toMatchObject({ number: LAST, hash: headerOf(LAST).hash });
    expect(await chain.readRecent()).toEqual([{ number: LAST, hash: headerOf(LAST).hash }]);
    await store.transaction((tx) => loader.finish(tx));
    const [quickest = engine] = engines;
    const rows = await rankedDump(store);
    expect(rows).toEqual(await dumpCleanReplay(quickest, RAW));
    expect(sizes(rows)).not.toMatchObject({ followers: 0 });
  }

  it('requests every block exactly once, in growing ranges, and stores them in order', async () => {
    const { node, requests } = createNode();
    const { stored, ended } = await run(node);
    await ended;
    const starts = requests.map(([from]) => from);
    expect(starts).toEqual([FIRST, ...requests.slice(0, -1).map(([, to]) => to + 1)]);
    const lengths = requests.slice(0, -1).map(([from, to]) => to - from + 1);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect([lengths.at(0), lengths.at(-1)]).toEqual([10_000, 20_000]);
    await expectAllOf(stored);
  });

  it('grows ranges to the maximum size on a long chain with few logs', async () => {
    const { node, requests } = createNode();
    const { ended } = await run(node, {}, FIRST + 3_000_000);
    await ended;
    expect(Math.max(...requests.map(([from, to]) => to - from + 1))).toBe(200_000);
    expect(requests.length).toBeLessThan(50);
  });

  it('keeps at most four ranges in flight', async () => {
    let waiting = 0;
    let most = 0;
    const { node } = createNode(async () => {
      most = Math.max(most, ++waiting);
      await new Promise((resolve) => setImmediate(resolve));
      waiting -= 1;
    });
    let clock = 0;
    const { ended } = await run(node, { now: () => (clock += 3_000) }, FIRST + 40_000);
    await ended;
    expect(most).toBe(4);
  });

  it('stores ranges in order when responses arrive out of order', async () => {
    const random = createRandom(SEED);
    const answered: number[] = [];
    const { node } = createNode(async (_, to) => {
      for (let turns = random.int(30); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      if (random.chance(0.3)) throw refusal('try half');
      answered.push(to);
    });
    const { stored, ended } = await run(node);
    await ended;
    expect(answered).not.toEqual([...answered].sort((a, b) => a - b));
    await expectAllOf(stored);
  });

  it.each([
    ['an unknown message', 'the quick brown fox'],
    ['its limit in the message', 'please limit the query to at most 150 blocks'],
  ])('reads all logs from a node that rejects ranges of more than 150 blocks with %s', async (_, text) => {
    const { node, requests } = createNode((from, to) => {
      if (to - from + 1 > 150) throw refusal(text);
    });
    const { stored, ended } = await run(node);
    await ended;
    await expectAllOf(stored);
    const tooLong = requests.filter(([from, to]) => to - from + 1 > 150).length;
    // Requests that were in flight when the limit became known.
    if (text.includes('150')) expect(tooLong).toBeLessThanOrEqual(4);
    else expect(tooLong).toBeLessThan(requests.length * 0.6);
  });

  it('reads all logs from a node that rejects more logs than the fullest block has', async () => {
    const perBlock = LOGS.map(({ blockNumber }) => LOGS.filter((log) => log.blockNumber === blockNumber).length);
    const fullest = Math.max(...perBlock);
    const { node } = createNode((_from, _to, logs) => {
      if (logs > fullest) throw refusal(`query exceeds max results ${fullest}`);
    });
    const { stored, ended } = await run(node);
    await ended;
    await expectAllOf(stored);
  });

  it('retries a single block after a pause when a node rejects even that', async () => {
    const troubled = LOGS[10]?.blockNumber ?? 0;
    let refusals = 5;
    const pauses: number[] = [];
    const { node, requests } = createNode((from, to) => {
      if (from > troubled || to < troubled || refusals === 0) return;
      if (from === to) refusals -= 1;
      throw refusal('missing trie node');
    });
    const sleep = async (ms: number) => void pauses.push(ms);
    const { stored, ended } = await run(node, { sleep });
    await ended;
    expect(pauses).toEqual([1000, 1000, 1000, 1000, 1000]);
    expect(requests.filter(([from, to]) => from === troubled && to === troubled).length).toBe(6);
    await expectAllOf(stored);
  });

  it('fails when a single block is rejected ten times', async () => {
    const troubled = LOGS[10]?.blockNumber ?? 0;
    const { node, requests } = createNode((from, to) => {
      if (from <= troubled && to >= troubled) throw refusal('missing trie node');
    });
    await expect((await run(node)).ended).rejects.toThrow('missing trie node');
    expect(requests.filter(([from, to]) => from === troubled && to === troubled).length).toBe(10);
    expect((await chain.readCursor())?.number ?? FIRST).toBeLessThan(troubled);
  });

  it.each<[string, RemoteFault]>([
    ['no node is reachable', { kind: 'unreachable', message: 'ECONNREFUSED' }],
    ['every node has reached its rate limit', { kind: 'http', status: 429, retryAfterMs: null }],
  ])('does not shrink the range when %s', async (_, fault) => {
    const { node, requests } = createNode(() => {
      throw new RemoteError('node.example', 'eth_getLogs', fault);
    });
    await expect((await run(node)).ended).rejects.toThrow(RemoteError);
    expect(new Set(requests.map(([from, to]) => to - from + 1))).toEqual(new Set([10_000]));
  });

  it('resumes from the cursor each time it is interrupted', async () => {
    const stored: { to: number; logs: number }[] = [];
    let end = FIRST;
    const { node, requests } = createNode((_, to) => {
      if (to > end) throw new Error('end of the test');
    });
    while (stored.at(-1)?.to !== LAST) {
      end += 4_500;
      requests.length = 0;
      const start = await chain.readCursor();
      const part = await run(node);
      await part.ended.catch((error) => expect(error).toMatchObject({ message: 'end of the test' }));
      expect(requests[0]?.[0]).toBe(start === null ? FIRST : start.number + 1);
      stored.push(...part.stored);
      expect((await chain.readCursor())?.number).toBe(stored.at(-1)?.to);
    }
    await expectAllOf(stored);
  });
});
