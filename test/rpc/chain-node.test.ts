import { describe, expect, it } from 'vitest';
import type { Hex } from '../../src/protocol/hex.ts';
import { createChainNode } from '../../src/rpc/chain-node.ts';
import type { Call, Endpoint } from '../../src/rpc/endpoint.ts';
import { createRpcClient } from '../../src/rpc/rpc-client.ts';

const CONTRACT: Hex = `0x${'c'.repeat(40)}`;
const TOPIC: Hex = `0x${'e'.repeat(64)}`;
const TRUST = { finalityDepth: 0, checksBlooms: true, comparesNodes: false };
const hashOf = (number: number): Hex => `0x${String(number).padStart(64, '0')}`;
const header = (number: number) => ({
  number: `0x${number.toString(16)}`,
  timestamp: '0x1',
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  logsBloom: `0x${'f'.repeat(512)}`,
});
const LOG = {
  ...{ address: CONTRACT, topics: [TOPIC], data: '0x', blockNumber: '0x5', blockHash: hashOf(5) },
  ...{ blockTimestamp: '0x1', logIndex: '0x0' },
};

/** Nodes with one log, in block 5. Those of `lacking` do not have that block. */
function createNodes(count: number, lacking: readonly number[]) {
  const requests: string[] = [];
  const faults: string[] = [];
  let time = 0;
  let slept = 0;
  const endpoints = Array.from({ length: count }, (_, index): Endpoint => {
    const host = `node${index + 1}`;
    const answer = ({ method, params }: Call) => {
      if (method === 'eth_chainId') return '0x1';
      if (method === 'eth_getLogs') return [LOG];
      if (method === 'eth_getBlockByNumber') return header(Number(params[0]));
      return lacking.includes(index + 1) ? null : header(Number(params[0]));
    };
    return {
      host,
      send: async (call) => answer(call),
      async sendBatch(calls) {
        requests.push(host);
        return calls.map((call) => ({ result: answer(call) }));
      },
    };
  });
  const client = createRpcClient({
    chainId: 1,
    endpoints,
    now: () => time,
    random: () => 0,
    async sleep(ms) {
      time += ms;
      if (++slept > 100) throw new Error('sleeps forever');
    },
    onFault: (host) => void faults.push(host),
  });
  const node = createChainNode({ chainId: 1, contracts: [CONTRACT], topics: [TOPIC], client, trust: TRUST });
  return { node, requests, faults };
}

describe('a range with a log whose block no node has', () => {
  it.each([1, 2, 3])('takes three attempts with each of %i nodes', async (count) => {
    const { node, requests, faults } = createNodes(count, [1, 2, 3]);
    await expect(node.fetchRange(1, 9, true)).rejects.toThrow('has logs, but the node does not have it');
    // An attempt is the range, and the header of the log.
    expect(requests).toHaveLength(2 * 3 * count);
    expect(faults).toHaveLength(3 * count);
    expect(new Set(faults).size).toBe(count);
  });
});

describe('the heads of a chain', () => {
  const heads = { head: 100, finalized: 90 };
  const fetchHeads = (reported: Partial<typeof heads>, trust = TRUST) => {
    const { head, finalized } = { ...heads, ...reported };
    const endpoint: Endpoint = {
      host: 'node1',
      send: async () => '0x1',
      sendBatch: async (calls) =>
        calls.map(({ params }) => ({ result: header(params[0] === 'finalized' ? finalized : head) })),
    };
    const client = createRpcClient({
      ...{ chainId: 1, endpoints: [endpoint], random: () => 0, onFault: () => undefined },
      ...{ now: Date.now, sleep: () => Promise.reject(new Error('retries')) },
    });
    return createChainNode({ chainId: 1, contracts: [], topics: [], client, trust }).fetchHeads();
  };

  it('are those that a node reports', async () => {
    expect(await fetchHeads({})).toMatchObject({ head: { number: 100 }, finalized: 90 });
  });

  it('are rejected with a final block above the head', async () => {
    // The node is asked again.
    await expect(fetchHeads({ finalized: 101 })).rejects.toThrow('retries');
  });
});

describe('a range with a log whose block one node lacks', () => {
  it('is fetched from the next node, and counts against the first', async () => {
    const { node, requests, faults } = createNodes(2, [1]);
    expect((await node.fetchRange(1, 9, true)).logs).toHaveLength(1);
    expect(requests).toEqual(['node1', 'node1', 'node2', 'node2']);
    expect(faults).toEqual(['node1']);
  });
});
