import { describe, expect, it } from 'vitest';
import { BusyError, RemoteError, type RemoteFault } from '../../src/remote/remote-error.ts';
import type { Endpoint } from '../../src/rpc/endpoint.ts';
import { createRpcClient, WrongChainError } from '../../src/rpc/rpc-client.ts';

const DOWN: RemoteFault = { kind: 'unreachable', message: 'ECONNREFUSED' };
const SLOW: RemoteFault = { kind: 'timeout' };
const TOO_MUCH: RemoteFault = { kind: 'refused', code: -32005, message: 'more than 10000 results' };
const ODD: RemoteFault = { kind: 'malformed', message: 'not an object' };
const limited = (retryAfterMs: number | null): RemoteFault => ({ kind: 'http', status: 429, retryAfterMs });

/** The response of a node to each request, a string or a fault; the last one is repeated. */
type Behaviour = readonly [string | RemoteFault, ...(string | RemoteFault)[]];

interface FakeNode extends Endpoint {
  behaviour: Behaviour;
  chainId: unknown;
}

function fakeNode(host: string, ...behaviour: Behaviour): FakeNode {
  let requests = 0;
  return {
    host,
    behaviour,
    chainId: '0x2105',
    async send({ method }) {
      if (method === 'eth_chainId') return this.chainId;
      const act = this.behaviour[Math.min(requests++, this.behaviour.length - 1)] ?? DOWN;
      if (typeof act === 'string') return act;
      throw new RemoteError(host, method, act);
    },
    sendBatch: () => Promise.reject(new Error('unexpected batch')),
  };
}

/** A client with a clock that advances only while it sleeps. */
function setUp(endpoints: readonly FakeNode[], random = () => 1) {
  let time = 1_000_000;
  const slept: number[] = [];
  const requested: string[] = [];
  const faults: string[] = [];
  const client = createRpcClient({
    chainId: 8453,
    endpoints,
    now: () => time,
    random,
    async sleep(ms) {
      if (slept.push(ms) > 100) throw new Error('sleeps forever');
      time += ms;
    },
    onFault: (host, error) => faults.push(`${host} ${error.fault.kind}`),
  });
  const request = () =>
    client.request((endpoint) => {
      requested.push(endpoint.host);
      return endpoint.send({ method: 'eth_blockNumber', params: [] });
    });
  /** Repeats the request until a node answers, as the indexer does. */
  const fetchWithRetry = async () => {
    for (;;) {
      const answer = await request().catch((error: unknown) => error);
      if (!(answer instanceof RemoteError)) return answer;
    }
  };
  const pass = (ms: number) => {
    time += ms;
  };
  return { client, request, fetchWithRetry, pass, slept, requested, faults };
}

describe('RpcClient with several nodes', () => {
  it('sends requests to the first configured node while it answers', async () => {
    const { request, requested } = setUp([fakeNode('a', '0x1'), fakeNode('b', '0x2')]);
    for (let i = 0; i < 5; i++) expect(await request()).toBe('0x1');
    expect(requested).toEqual(['a', 'a', 'a', 'a', 'a']);
  });

  it('fails over to the next node without waiting, and reports the fault', async () => {
    const setup = setUp([fakeNode('a', DOWN), fakeNode('b', SLOW), fakeNode('c', '0x3')]);
    expect(await setup.request()).toBe('0x3');
    expect(setup.slept).toEqual([]);
    expect(setup.faults).toEqual(['a unreachable', 'b timeout']);
  });

  it('does not use a faulty node during its backoff, and prefers it again afterwards', async () => {
    const [a, b] = [fakeNode('a', DOWN, '0x1'), fakeNode('b', '0x2')] as const;
    const setup = setUp([a, b]);
    await setup.request();
    setup.pass(249);
    await setup.request();
    expect(setup.requested).toEqual(['a', 'b', 'b']);
    setup.pass(1);
    expect(await setup.request()).toBe('0x1');
    expect(setup.requested).toEqual(['a', 'b', 'b', 'a']);
  });

  it('sends the next request at once to a node that refused one', async () => {
    const [a, b] = [fakeNode('a', TOO_MUCH, '0x1'), fakeNode('b', '0x2')] as const;
    const setup = setUp([a, b]);
    expect(await setup.request()).toBe('0x2');
    expect(await setup.request()).toBe('0x1');
    expect(setup.requested).toEqual(['a', 'b', 'a']);
  });

  it('waits for the node with the shortest backoff when all have failed', async () => {
    const [a, b, c] = [fakeNode('a', limited(5_000), '0x1'), fakeNode('b', DOWN, '0x2'), fakeNode('c', DOWN)] as const;
    const setup = setUp([a, b, c], () => 0);
    expect(await setup.request()).toBe('0x2');
    expect(setup.requested).toEqual(['a', 'b', 'c', 'b']);
    expect(setup.slept).toEqual([125]);
  });
});

describe('RpcClient with one node', () => {
  it('doubles the backoff after each fault up to a limit, and resets it after a success', async () => {
    const down = Array.from({ length: 9 }, () => DOWN) as [RemoteFault, ...RemoteFault[]];
    const setup = setUp([fakeNode('a', ...down, '0x1', DOWN, '0x1')]);
    await setup.fetchWithRetry();
    expect(setup.slept).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    await setup.fetchWithRetry();
    expect(setup.slept.at(-1)).toBe(250);
  });

  it('applies jitter between half and all of the backoff', async () => {
    const draws = [0, 0.25, 0.5, 0.999];
    const setup = setUp([fakeNode('a', DOWN, DOWN, DOWN, DOWN, '0x1')], () => draws.shift() ?? 0);
    await setup.fetchWithRetry();
    expect(setup.slept).toEqual([125, 312.5, 750, 1_999]);
  });

  it('honours Retry-After', async () => {
    const setup = setUp([fakeNode('a', limited(7_000), limited(60_000), '0x1')]);
    await setup.fetchWithRetry();
    expect(setup.slept).toEqual([7_000, 60_000]);
  });

  it('waits at least the backoff when Retry-After is shorter', async () => {
    const setup = setUp([fakeNode('a', limited(0), limited(0), limited(null), limited(1), '0x1')]);
    await setup.fetchWithRetry();
    expect(setup.slept).toEqual([250, 500, 1_000, 2_000]);
  });

  it('rejects when the sleep is aborted', async () => {
    const ended = new Error('ended');
    const client = createRpcClient({
      chainId: 8453,
      endpoints: [fakeNode('a', DOWN)],
      now: () => 0,
      random: () => 0,
      sleep: () => Promise.reject(ended),
      onFault: () => undefined,
    });
    await expect(client.request((endpoint) => endpoint.send({ method: 'eth_blockNumber', params: [] }))).rejects.toBe(
      ended,
    );
  });

  it('counts a malformed response as a fault of the node', async () => {
    const { client, faults } = setUp([fakeNode('a', '0x1'), fakeNode('b', '0x2')]);
    const pick = (endpoint: Endpoint) =>
      endpoint.host === 'a' ? Promise.reject(new TypeError('no block')) : Promise.resolve(endpoint.host);
    expect(await client.request(pick)).toBe('b');
    expect(faults).toEqual(['a malformed']);
  });
});

describe('RpcClient with a request that is not sent because too many wait', () => {
  it('throws at once, and counts no fault of the node', async () => {
    const setup = setUp([fakeNode('a', '0x1')]);
    const busy = new BusyError('ens', 'too many requests wait');
    await expect(setup.client.request(() => Promise.reject(busy))).rejects.toBe(busy);
    expect([setup.slept, setup.faults]).toEqual([[], []]);
    expect(await setup.request()).toBe('0x1');
  });
});

describe('RpcClient with a request that is refused', () => {
  it('tries the other nodes before it throws', async () => {
    const setup = setUp([fakeNode('a', TOO_MUCH), fakeNode('b', '0x2')]);
    expect(await setup.request()).toBe('0x2');
    expect(setup.slept).toEqual([]);
  });

  it('throws the refusal when every node has refused the request', async () => {
    const setup = setUp([fakeNode('a', TOO_MUCH), fakeNode('b', TOO_MUCH)]);
    await expect(setup.request()).rejects.toMatchObject({ fault: TOO_MUCH });
    expect(setup.requested).toEqual(['a', 'b']);
  });

  it('retries a node that failed for another reason', async () => {
    const setup = setUp([fakeNode('a', TOO_MUCH), fakeNode('b', DOWN, DOWN, '0x2')]);
    expect(await setup.request()).toBe('0x2');
  });

  it('throws although the nodes refused the request at different times', async () => {
    const draws = [0, 1];
    const [a, b] = [fakeNode('a', TOO_MUCH), fakeNode('b', TOO_MUCH)] as const;
    const setup = setUp([a, b], () => draws.shift() ?? 0.5);
    await expect(setup.request()).rejects.toMatchObject({ fault: TOO_MUCH });
    // The backoffs of the nodes now end at different times.
    await expect(setup.request()).rejects.toMatchObject({ fault: TOO_MUCH });
    expect(setup.slept.length).toBeLessThan(5);
  });

  it('throws the refusal while another node is down', async () => {
    const setup = setUp([fakeNode('a', DOWN), fakeNode('b', TOO_MUCH)]);
    await expect(setup.request()).rejects.toMatchObject({ fault: TOO_MUCH });
  });

  it.each([SLOW, DOWN, ODD, limited(1)])('throws after three failed attempts of every node: %j', async (fault) => {
    const setup = setUp([fakeNode('a', fault), fakeNode('b', fault)]);
    await expect(setup.request()).rejects.toMatchObject({ fault });
    expect(setup.requested).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  });

  it('prefers the refusal to other faults when it throws', async () => {
    const setup = setUp([fakeNode('a', SLOW), fakeNode('b', TOO_MUCH), fakeNode('c', ODD)]);
    await expect(setup.request()).rejects.toMatchObject({ fault: TOO_MUCH });
  });

  it('throws a fault that names the node when the response is malformed', async () => {
    const { client } = setUp([fakeNode('a', '0x1')]);
    const response = client.request(() => Promise.reject(new TypeError('no block')));
    await expect(response).rejects.toThrow('a: response: returned an invalid response: no block');
  });
});

describe('RpcClient with a node of another chain', () => {
  it('rejects the node before any request, with an error that names setting, host and both chains', async () => {
    const node = fakeNode('a', '0x1');
    node.chainId = '0xa';
    const setup = setUp([node, fakeNode('b', '0x2')]);
    const response = setup.request();
    await expect(response).rejects.toBeInstanceOf(WrongChainError);
    await expect(response).rejects.toThrow('RPC_URL_8453: a is a node of chain 10, not of chain 8453');
    expect(setup.requested).toEqual([]);
  });

  it.each([null, '', '0x', 'Base', {}, -1, '0x0'])(
    'treats the invalid chain id %j as a malformed response',
    async (id) => {
      const node = fakeNode('a', '0x1');
      node.chainId = id;
      const setup = setUp([node, fakeNode('b', '0x2')]);
      expect(await setup.request()).toBe('0x2');
      expect(setup.faults).toEqual(['a malformed']);
    },
  );
});
