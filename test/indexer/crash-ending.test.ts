import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { startIndexer } from './harness.ts';
import { startProxy } from './provider-proxy.ts';

/** Head of the fake node: more blocks than a test can read. */
const HEAD = 900_000_000;

describe.each(engines)('stopping an indexer into $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });
  let store: Store;
  let node: EvmNode;

  beforeEach(async () => {
    store = await own.open();
    node = await startNode(8453);
  });
  afterEach(() => node.stop());

  it('does not wait for a pending RPC request, and does not count it as a fault', async () => {
    const proxy = await startProxy(node.url, () => 'silence');
    const rpcUrls = new Map([[8453, [proxy.url]]]);
    const indexer = startIndexer(store, [node], { rpcUrls, rpcTimeoutMs: 600_000 });
    await expect.poll(proxy.requests).toBeGreaterThan(0);
    await indexer.stop();
    await proxy.stop();
    expect(await store.transaction((tx) => tx.query((db) => db.selectFrom('counters').selectAll()))).toEqual([]);
  });

  it('stops in the middle of a backfill', async () => {
    const indexer = startIndexer(store, [node], { fetch: endlessNode, startBlocks: new Map([[8453, 1]]) });
    const readCursor = async () => (await store.transaction((tx) => tx.read('cursors', ['chain_id'], [[8453]])))[0];
    await expect.poll(async () => (await readCursor())?.number ?? 0).toBeGreaterThan(0);
    await indexer.stop();
    expect((await readCursor())?.number).toBeLessThan(HEAD / 2);
  });
});

/** A node with a very long chain without logs. */
const endlessNode: typeof fetch = async (_url, init) => {
  const body = JSON.parse(String(init?.body));
  // Yields to the event loop, as a network request would.
  await new Promise((resolve) => setImmediate(resolve));
  const answer = ({ id, method, params }: RpcRequest) => ({ jsonrpc: '2.0', id, result: answerTo(method, params) });
  return new Response(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
};

interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: readonly string[];
}

function answerTo(method: string, [at = '']: readonly string[]): unknown {
  if (method === 'eth_chainId') return '0x2105';
  if (method === 'eth_getLogs') return [];
  const number = at.startsWith('0x') ? Number(at) : HEAD;
  const hash = (height: number) => `0x${height.toString(16).padStart(64, '0')}`;
  return {
    number: `0x${number.toString(16)}`,
    timestamp: `0x${number.toString(16)}`,
    hash: hash(number),
    parentHash: hash(number - 1),
    logsBloom: `0x${'0'.repeat(512)}`,
  };
}
