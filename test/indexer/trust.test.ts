import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TOPICS } from '../../src/protocol/decode-log.ts';
import { WrongChainError } from '../../src/rpc/rpc-client.ts';
import type { Store } from '../../src/store/store.ts';
import { failureIn, spawnKith } from '../commands/run-kith.ts';
import { createRandom } from '../model/random.ts';
import { ANNS, BOB, CAT, follow } from '../model/small-history.ts';
import { anyEngine, type TestDatabase } from '../support/engines.ts';
import { bloomOf } from './bloom-of.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, type RunningIndexer, startIndexer, untilIndexed } from './harness.ts';
import { type Answerer, type Forward, NodeError, type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { discard, expectCleanReplay, loggedReorgs, randomBlock, readCursor, until } from './reorg-support.ts';

const CHAIN = 8453;
/** The final block is four blocks behind the head. */
const EPOCH = 2;
const SECRET = 'secret-api-key';

interface Block {
  readonly number: string;
  readonly hash: string;
}

describe.each(anyEngine)('an indexer into $name, from an unreliable node (seed 51)', (engine) => {
  const random = createRandom(51);
  let node: EvmNode;
  let database: TestDatabase;
  let store: Store;
  let proxy: NodeProxy | undefined;
  let indexer: RunningIndexer | undefined;

  beforeAll(async () => {
    node = await startNode(CHAIN, { epoch: EPOCH });
    await node.install(addressesOn(CHAIN));
  });
  afterAll(() => node.stop());
  beforeEach(async () => {
    database = await engine.create();
    store = await database.open();
    for (let i = 0; i < 10; i++) await node.mine(randomBlock(random, CHAIN));
  });
  afterEach(async () => {
    await indexer?.stop();
    await proxy?.stop();
    [indexer, proxy] = [undefined, undefined];
    await discard(store, database);
  });

  /** Starts an indexer through a proxy with this behaviour. */
  const indexThrough = async (answer: Answerer) => {
    const { url, calls } = (proxy = await startNodeProxy(node.url, answer));
    const running = (indexer = startIndexer(store, [node], {
      rpcUrls: new Map([[CHAIN, [url]]]),
      ranksMs: 3_600_000,
    }));
    return { running, calls, indexed: () => untilIndexed(store, [node], running) };
  };
  const head = () => node.request<Block>('eth_getBlockByNumber', ['latest', false]);

  it.each([1, 3])('retries an empty eth_getLogs that contradicts the bloom filter, %i times', async (times) => {
    const next = (await node.blockNumber()) + 1;
    let requests = 0;
    const { indexed } = await indexThrough(async (call, forward) => {
      const answer = await forward(call);
      const isOfNext = ({ blockNumber }: { blockNumber: string }) => Number(blockNumber) === next;
      if (call.method !== 'eth_getLogs' || !(answer as { blockNumber: string }[]).some(isOfNext)) return answer;
      requests += 1;
      return requests > times ? answer : [];
    });
    await indexed();
    await node.mine([follow(ANNS, BOB)]);
    await indexed();
    expect(requests).toBe(times + 1);
    await expectCleanReplay(store, [node]);
  });

  it.each([
    ['three times when few bits are set', 3, bloomOf([...addressesOn(CHAIN), ...Object.values(EVENT_TOPICS)])],
    ['once when most bits are set, as in full blocks', 1, `0x${'ff'.repeat(256)}`],
  ])('accepts a false positive of the bloom filter after retrying %s', async (_, retries, logsBloom) => {
    const { indexed, calls } = await indexThrough(async (call, forward) => {
      const answer = await forward(call);
      const isEmpty = /^0x0+$/.test((answer as { logsBloom?: string } | null)?.logsBloom ?? '');
      return isEmpty ? { ...(answer as object), logsBloom } : answer;
    });
    await indexed();
    await node.mine();
    const { hash } = await head();
    await indexed();
    const requests = calls.filter(({ params: [filter] }) => (filter as { blockHash?: string })?.blockHash === hash);
    expect(requests.length).toBe(1 + retries);
    await expectCleanReplay(store, [node]);
  });

  it('follows a load balancer whose backends have different heads', async () => {
    const { indexed, running } = await indexThrough((call, forward) =>
      random.chance(0.5) ? forward(call) : answerLagging(2, call, forward),
    );
    for (let i = 0; i < 15; i++) {
      await node.mine(randomBlock(random, CHAIN));
      if (i % 5 === 0) await indexed();
    }
    await indexed();
    expect(loggedReorgs(running)).toEqual([]);
    await expectCleanReplay(store, [node]);
  });

  it('waits for the newest block when a backend does not have it, and rolls back nothing', async () => {
    let behind = 0;
    const { indexed, running, calls } = await indexThrough((call, forward) =>
      // The load balancer has the newest block; the backend that gets the next request does not.
      call.params[0] === 'latest' ? forward(call) : answerLagging(behind, call, forward),
    );
    await indexed();
    const before = await readCursor(store, CHAIN);
    behind = 1;
    await node.mine([follow(ANNS, CAT)]);
    const { number, hash } = await head();
    const refusals = () => calls.filter(({ params: [at] }) => at === number).length;
    await until(() => refusals() >= 3, running);
    expect((await readCursor(store, CHAIN))?.hash).toBe(before?.hash);
    behind = 0;
    await indexed();
    expect((await readCursor(store, CHAIN))?.hash).toBe(hash);
    expect(loggedReorgs(running)).toEqual([]);
    await expectCleanReplay(store, [node]);
  });

  it('does not accept a range from a node that does not have its last block', async () => {
    let lacking = 3;
    const { indexed } = await indexThrough(async (call, forward) => {
      if (lacking === 0) return forward(call);
      if (call.method === 'eth_getLogs') return [];
      if (call.method !== 'eth_getBlockByNumber' || !String(call.params[0]).startsWith('0x')) return forward(call);
      lacking -= 1;
      return null;
    });
    await indexed();
    expect(lacking).toBe(0);
    await expectCleanReplay(store, [node]);
  });

  it('rejects a node of another chain, naming its variable and host', async () => {
    proxy = await startNodeProxy(node.url, (call, forward) => forward(call));
    const { host } = new URL(proxy.url);
    const url = `http://user:${SECRET}@${host}/v2/${SECRET}?key=${SECRET}`;
    const running = startIndexer(store, [], { rpcUrls: new Map([[10, [url]]]) });
    await expect(running.ended).rejects.toThrow(WrongChainError);
    await expect(running.ended).rejects.toThrow(`RPC_URL_10: ${host} is a node of chain ${CHAIN}, not of chain 10`);
    expect(running.log.join('')).not.toContain(SECRET);
    expect(await readCursor(store, 10)).toBeUndefined();
  });

  it('prints the same error on the command line, without the rest of the URL', async () => {
    proxy = await startNodeProxy(node.url, (call, forward) => forward(call));
    const { host } = new URL(proxy.url);
    const env = {
      DATABASE_URL: database.url,
      RPC_URL_1: `${proxy.url}/v2/${SECRET}`,
      NAME_REQUESTS_PER_SECOND: '0',
      LOG_LEVEL: 'trace',
    };
    const { code, stdout, stderr } = await spawnKith(['index'], { env });
    expect(code).toBe(1);
    expect(failureIn(stderr)).toBe(`RPC_URL_1: ${host} is a node of chain ${CHAIN}, not of chain 1 [E_WRONG_CHAIN]`);
    expect(stdout + stderr).not.toContain(SECRET);
  });
});

/** Answers like a node that lags behind. */
async function answerLagging(
  behind: number,
  { method, params }: Parameters<Answerer>[0],
  forward: Forward,
): Promise<unknown> {
  const newest = Number(await forward({ method: 'eth_blockNumber', params: [] })) - behind;
  const hex = (number: number) => `0x${Math.max(number, 0).toString(16)}`;
  const [what] = params;
  if (method === 'eth_getBlockByNumber') {
    const at = what === 'latest' ? newest : what === 'finalized' ? newest - 2 * EPOCH : Number(what);
    return at > newest ? null : forward({ method, params: [hex(at), false] });
  }
  if (method === 'eth_getBlockByHash') {
    const block = (await forward({ method, params })) as Block | null;
    return block !== null && Number(block.number) > newest ? null : block;
  }
  if (method !== 'eth_getLogs') return forward({ method, params });
  const { blockHash, toBlock, ...filter } = what as { blockHash?: string; toBlock?: string };
  if (blockHash === undefined) {
    return forward({ method, params: [{ ...filter, toBlock: hex(Math.min(Number(toBlock), newest)) }] });
  }
  const block = (await forward({ method: 'eth_getBlockByHash', params: [blockHash, false] })) as Block | null;
  if (block === null || Number(block.number) > newest) throw new NodeError(-32_000, 'unknown block');
  return forward({ method, params });
}
