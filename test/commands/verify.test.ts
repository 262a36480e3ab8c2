import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { rewindTo } from '../../src/indexer/cursor.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import { type EvmNode, startNode } from '../indexer/evm-node.ts';
import { addressesOn, indexOnce } from '../indexer/harness.ts';
import { startNodeProxy } from '../indexer/node-proxy.ts';
import { expectCleanReplay, randomBlock } from '../indexer/reorg-support.ts';
import { createRandom } from '../model/random.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { runKith } from './run-here.ts';

const CHAIN = 8453;
const BLOCKS = 30;

type Lie = (logs: RawLog[]) => object[];

const isOp = ({ topics }: RawLog) => topics.length === 2;
/** The data of another log of the same event. */
const otherData = (logs: RawLog[], { topics, data }: RawLog) =>
  logs.find((other) => other.topics[0] === topics[0] && other.data !== data)?.data ?? expect.fail('no other log');

const LIES: [string, Lie, RegExp][] = [
  ['no logs', () => [], /checked: [1-9]\d* missing, 0 wrong, 0 extra$/m],
  ['every second log', (logs) => logs.filter((_, i) => i % 2 === 0), /checked: [1-9]\d* missing, 0 wrong, 0 extra$/m],
  [
    'another value in a log',
    (logs) => logs.map((log) => (log === logs.find(isOp) ? { ...log, data: otherData(logs, log) } : log)),
    /checked: 0 missing, 1 wrong, 0 extra$/m,
  ],
  [
    'one log too many',
    (logs) => [...logs, { ...(logs.find(isOp) ?? expect.fail('no log')), logIndex: '0x3e8' }],
    /checked: 0 missing, 0 wrong, 1 extra$/m,
  ],
];

describe.each(engines)('kith verify on $name (seed 81)', (engine) => {
  const random = createRandom(81);
  let node: EvmNode;
  const own = useOwnDatabase(engine);
  let store: Store;

  beforeAll(async () => {
    node = await startNode(CHAIN);
    await node.install(addressesOn(CHAIN));
    for (let i = 0; i < BLOCKS; i++) await node.mine(randomBlock(random, CHAIN));
  });
  afterAll(() => node.stop());
  beforeEach(async () => {
    store = await own.open();
  });

  /** Indexes through a node that lies about ranges of final blocks, which is then the first of two nodes. */
  const indexThrough = async (lie: Lie, meanwhile: () => Promise<unknown> = async () => undefined) => {
    const { url, stop } = await startNodeProxy(node.url, async (call, forward) => {
      const answer = await forward(call);
      const isRange = call.method === 'eth_getLogs' && 'fromBlock' in (call.params[0] as object);
      return isRange ? lie(answer as RawLog[]) : answer;
    });
    onTestFinished(stop);
    await indexOnce(store, [node], { rpcUrls: new Map([[CHAIN, [url]]]), ranksMs: 3_600_000 });
    const other = await startNodeProxy(node.url, async (call, forward) => {
      if (call.method === 'eth_getLogs') await meanwhile();
      return forward(call);
    });
    onTestFinished(other.stop);
    const env = {
      DATABASE_URL: own.database.url,
      RPC_URL_8453: `${url},${other.url}`,
      START_BLOCK_8453: '0',
      FINALITY_DEPTH_8453: '0',
    };
    return (...args: string[]) => runKith(['verify', ...args], { env });
  };

  it.each(LIES)('finds and repairs what a node got wrong that answered with %s', async (_, lie, summary) => {
    const verify = await indexThrough(lie);
    const found = await verify('--all');
    expect(found).toMatchObject({ code: 1, stdout: expect.stringMatching(summary) });
    expect(found.stdout).toMatch(/^chain 8453: block \d+, log \d+: (missing|wrong|extra)$/m);
    expect(found.stderr).toContain('E_DIFFERENT_LOGS');
    const repaired = await verify('--all', '--repair');
    expect(repaired).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/replaced the logs of [1-9]\d* blocks$/m),
    });
    await expectCleanReplay(store, [node]);
    expect(await verify()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/checked: 0 missing, 0 wrong, 0 extra$/m),
    });
  });

  it('repairs nothing above the last stored block, which may have moved back meanwhile', async () => {
    const rewind = () => store.transaction((tx) => rewindTo(tx, CHAIN, 3));
    const verify = await indexThrough((logs) => logs.slice(0, -1), rewind);
    const { code, stderr } = await verify('--all', '--repair');
    expect(code).toBe(1);
    expect(stderr).toContain('E_CURSOR_MOVED');
    expect(stderr).toMatch(/expected the last stored block to be block \d+ or a later one, but it is block 3 /);
    await indexOnce(store, [node]);
    await expectCleanReplay(store, [node]);
  });

  it('checks the blocks of a range only', async () => {
    const verify = await indexThrough((logs) => logs.filter(({ blockNumber }) => Number(blockNumber) !== 5));
    expect(await verify('--from', '6', '--to', '9')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^chain 8453: 4 blocks with \d+ logs checked: 0 missing, 0 wrong, 0 extra$/m),
    });
    expect((await verify('--from', '5', '--to', '5')).code).toBe(1);
  });
});

describe('kith verify', () => {
  const env = { DATABASE_URL: 'sqlite:unused.db' };

  it.each([
    [{}, [], /no chain to verify: set RPC_URL_<chainId>/],
    [{ RPC_URL_10: 'http://127.0.0.1:9' }, ['--chain', '1'], /--chain: expected one of 10, got 1/],
  ])('rejects a chain without a node, with the settings %j', async (urls, args, message) => {
    const { code, stderr } = await runKith(['verify', ...args], { env: { ...env, ...urls } });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('exits with a code and without the URL when no node answers', async () => {
    const [sqlite = expect.fail('no engine')] = engines;
    const database = await sqlite.create();
    const key = 'secret-api-key';
    const urls = { DATABASE_URL: database.url, RPC_URL_10: `http://127.0.0.1:9/${key}` };
    const { code, stdout, stderr } = await runKith(['verify'], { env: { ...env, ...urls } });
    expect(code).toBe(1);
    expect(stderr).toContain('E_NODE_UNAVAILABLE');
    expect(stdout + stderr).not.toContain(key);
    await database.drop();
  });
});
