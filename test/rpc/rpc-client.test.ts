import { describe, expect, it } from 'vitest';
import { RemoteError, type RemoteFault } from '../../src/remote/remote-error.ts';
import type { Endpoint } from '../../src/rpc/endpoint.ts';
import { createRpcClient } from '../../src/rpc/rpc-client.ts';
import { WrongChainError } from '../../src/rpc/wrong-chain-error.ts';

const DOWN: RemoteFault = { kind: 'unreachable', message: 'ECONNREFUSED' };
const SLOW: RemoteFault = { kind: 'timeout' };
const TOO_MUCH: RemoteFault = { kind: 'refused', code: -32005, message: 'more than 10000 results' };
const ODD: RemoteFault = { kind: 'malformed', message: 'no object' };
const limited = (retryAfterMs: number | null): RemoteFault => ({ kind: 'http', status: 429, retryAfterMs });

/** Says what a node does with each question, the last for good; a string is an answer. */
type Behaviour = readonly [string | RemoteFault, ...(string | RemoteFault)[]];

interface FakeNode extends Endpoint {
  /** May be changed on the way. */
  behaviour: Behaviour;
  chainId: unknown;
}

function fakeNode(host: string, ...behaviour: Behaviour): FakeNode {
  let asked = 0;
  return {
    host,
    behaviour,
    chainId: '0x2105',
    async send({ method }) {
      if (method === 'eth_chainId') return this.chainId;
      const act = this.behaviour[Math.min(asked++, this.behaviour.length - 1)] ?? DOWN;
      if (typeof act === 'string') return act;
      throw new RemoteError(host, method, act);
    },
    sendBatch: () => Promise.reject(new Error('nobody asks this')),
  };
}

/** A client whose time passes only while it sleeps. */
function createWorld(endpoints: readonly FakeNode[], random = () => 1) {
  let time = 1_000_000;
  const slept: number[] = [];
  const asked: string[] = [];
  const faults: string[] = [];
  const client = createRpcClient({
    chainId: 8453,
    endpoints,
    now: () => time,
    random,
    async sleep(ms) {
      if (slept.push(ms) > 100) throw new Error('it sleeps for ever');
      time += ms;
    },
    onFault: (host, error) => faults.push(`${host} ${error.fault.kind}`),
  });
  const ask = () =>
    client.ask((endpoint) => {
      asked.push(endpoint.host);
      return endpoint.send({ method: 'eth_blockNumber', params: [] });
    });
  /** As the indexer does it: when nobody answers, the question is put again. */
  const insist = async () => {
    for (;;) {
      const answer = await ask().catch((error: unknown) => error);
      if (!(answer instanceof RemoteError)) return answer;
    }
  };
  const pass = (ms: number) => {
    time += ms;
  };
  return { client, ask, insist, pass, slept, asked, faults };
}

describe('a client of several nodes', () => {
  it('asks the first node that is configured while it answers', async () => {
    const { ask, asked } = createWorld([fakeNode('a', '0x1'), fakeNode('b', '0x2')]);
    for (let i = 0; i < 5; i++) expect(await ask()).toBe('0x1');
    expect(asked).toEqual(['a', 'a', 'a', 'a', 'a']);
  });

  it('moves to the next node without waiting, and tells of the fault', async () => {
    const world = createWorld([fakeNode('a', DOWN), fakeNode('b', SLOW), fakeNode('c', '0x3')]);
    expect(await world.ask()).toBe('0x3');
    expect(world.slept).toEqual([]);
    expect(world.faults).toEqual(['a unreachable', 'b timeout']);
  });

  it('leaves a faulty node alone until its pause is over, then asks it in its turn again', async () => {
    const [a, b] = [fakeNode('a', DOWN, '0x1'), fakeNode('b', '0x2')] as const;
    const world = createWorld([a, b]);
    await world.ask();
    world.pass(249);
    await world.ask();
    expect(world.asked).toEqual(['a', 'b', 'b']);
    world.pass(1);
    expect(await world.ask()).toBe('0x1');
    expect(world.asked).toEqual(['a', 'b', 'b', 'a']);
  });

  it('asks a node that refuses one question the next one at once', async () => {
    const [a, b] = [fakeNode('a', TOO_MUCH, '0x1'), fakeNode('b', '0x2')] as const;
    const world = createWorld([a, b]);
    expect(await world.ask()).toBe('0x2');
    expect(await world.ask()).toBe('0x1');
    expect(world.asked).toEqual(['a', 'b', 'a']);
  });

  it('asks the node that may be asked soonest first when all have failed', async () => {
    const [a, b, c] = [fakeNode('a', limited(5_000), '0x1'), fakeNode('b', DOWN, '0x2'), fakeNode('c', DOWN)] as const;
    const world = createWorld([a, b, c], () => 0);
    expect(await world.ask()).toBe('0x2');
    expect(world.asked).toEqual(['a', 'b', 'c', 'b']);
    expect(world.slept).toEqual([125]);
  });
});

describe('a client of one node', () => {
  it('waits twice as long after each fault, up to a limit, and starts over after a good answer', async () => {
    const down = Array.from({ length: 9 }, () => DOWN) as [RemoteFault, ...RemoteFault[]];
    const world = createWorld([fakeNode('a', ...down, '0x1', DOWN, '0x1')]);
    await world.insist();
    expect(world.slept).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    await world.insist();
    expect(world.slept.at(-1)).toBe(250);
  });

  it('waits at random between half and all of the pause', async () => {
    const draws = [0, 0.25, 0.5, 0.999];
    const world = createWorld([fakeNode('a', DOWN, DOWN, DOWN, DOWN, '0x1')], () => draws.shift() ?? 0);
    await world.insist();
    expect(world.slept).toEqual([125, 312.5, 750, 1_999]);
  });

  it('waits as long as the node asks for', async () => {
    const world = createWorld([fakeNode('a', limited(7_000), limited(60_000), '0x1')]);
    await world.insist();
    expect(world.slept).toEqual([7_000, 60_000]);
  });

  it('does not come back sooner than it would without being asked to wait', async () => {
    const world = createWorld([fakeNode('a', limited(0), limited(0), limited(null), limited(1), '0x1')]);
    await world.insist();
    expect(world.slept).toEqual([250, 500, 1_000, 2_000]);
  });

  it('ends when sleeping is ended', async () => {
    const ended = new Error('ended');
    const client = createRpcClient({
      chainId: 8453,
      endpoints: [fakeNode('a', DOWN)],
      now: () => 0,
      random: () => 0,
      sleep: () => Promise.reject(ended),
      onFault: () => undefined,
    });
    await expect(client.ask((endpoint) => endpoint.send({ method: 'eth_blockNumber', params: [] }))).rejects.toBe(
      ended,
    );
  });

  it('counts an answer that cannot be used against the node', async () => {
    const { client, faults } = createWorld([fakeNode('a', '0x1'), fakeNode('b', '0x2')]);
    const pick = (endpoint: Endpoint) =>
      endpoint.host === 'a' ? Promise.reject(new TypeError('no block')) : Promise.resolve(endpoint.host);
    expect(await client.ask(pick)).toBe('b');
    expect(faults).toEqual(['a malformed']);
  });
});

describe('a question that is refused', () => {
  it('is put to the other nodes before anybody hears of it', async () => {
    const world = createWorld([fakeNode('a', TOO_MUCH), fakeNode('b', '0x2')]);
    expect(await world.ask()).toBe('0x2');
    expect(world.slept).toEqual([]);
  });

  it('fails with the refusal when every node has refused it', async () => {
    const world = createWorld([fakeNode('a', TOO_MUCH), fakeNode('b', TOO_MUCH)]);
    await expect(world.ask()).rejects.toMatchObject({ fault: TOO_MUCH });
    expect(world.asked).toEqual(['a', 'b']);
  });

  it('waits for a node that has failed otherwise, which may yet answer', async () => {
    const world = createWorld([fakeNode('a', TOO_MUCH), fakeNode('b', DOWN, DOWN, '0x2')]);
    expect(await world.ask()).toBe('0x2');
  });

  it('fails though the nodes refused it at different times', async () => {
    const draws = [0, 1];
    const [a, b] = [fakeNode('a', TOO_MUCH), fakeNode('b', TOO_MUCH)] as const;
    const world = createWorld([a, b], () => draws.shift() ?? 0.5);
    await expect(world.ask()).rejects.toMatchObject({ fault: TOO_MUCH });
    // Now their pauses end at different times, and never again together.
    await expect(world.ask()).rejects.toMatchObject({ fault: TOO_MUCH });
    expect(world.slept.length).toBeLessThan(5);
  });

  it('fails while another node is down for good: nobody is left who could answer it', async () => {
    const world = createWorld([fakeNode('a', DOWN), fakeNode('b', TOO_MUCH)]);
    await expect(world.ask()).rejects.toMatchObject({ fault: TOO_MUCH });
  });

  it.each([SLOW, DOWN, ODD, limited(1)])(
    'or failed three times by every node fails, for another may be answered: %j',
    async (fault) => {
      const world = createWorld([fakeNode('a', fault), fakeNode('b', fault)]);
      await expect(world.ask()).rejects.toMatchObject({ fault });
      expect(world.asked).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    },
  );

  it('fails with the refusal, whatever else the others do', async () => {
    const world = createWorld([fakeNode('a', SLOW), fakeNode('b', TOO_MUCH), fakeNode('c', ODD)]);
    await expect(world.ask()).rejects.toMatchObject({ fault: TOO_MUCH });
  });

  it('fails with an error of the node when no answer can be used', async () => {
    const { client } = createWorld([fakeNode('a', '0x1')]);
    const asking = client.ask(() => Promise.reject(new TypeError('no block')));
    await expect(asking).rejects.toThrow('a: response: answered with something that is not an answer: no block');
  });
});

describe('a node of another chain', () => {
  it('is refused before it is asked anything, with an error that names setting, host and both chains', async () => {
    const node = fakeNode('a', '0x1');
    node.chainId = '0xa';
    const world = createWorld([node, fakeNode('b', '0x2')]);
    const asking = world.ask();
    await expect(asking).rejects.toBeInstanceOf(WrongChainError);
    await expect(asking).rejects.toThrow('RPC_URL_8453: a is a node of chain 10, not of chain 8453');
    expect(world.asked).toEqual([]);
  });

  it.each([null, '', '0x', 'Base', {}, -1, '0x0'])('is not seen in the chain id %j, which is no answer', async (id) => {
    const node = fakeNode('a', '0x1');
    node.chainId = id;
    const world = createWorld([node, fakeNode('b', '0x2')]);
    expect(await world.ask()).toBe('0x2');
    expect(world.faults).toEqual(['a malformed']);
  });
});
