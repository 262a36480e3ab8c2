import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCcipGateway } from '../../../src/names/ens/ccip-gateway.ts';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import type { ProfileSource } from '../../../src/names/profile-source.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { createGuardedFetch } from '../../../src/remote/guarded-fetch.ts';
import { requireRemote } from '../../../src/remote/remote-error.ts';
import type { Endpoint } from '../../../src/rpc/endpoint.ts';
import { type ProviderProxy, SECRETS, startProxy } from '../../indexer/provider-proxy.ts';
import { createClientOf, nodeAt } from './client-of.ts';
import { type EnsNode, newAccount, setAddr, startEns, watch } from './ens-node.ts';
import { isAllowed } from './loopback.ts';

let ens: EnsNode;
let account: Address;
let proxy: ProviderProxy;
beforeAll(async () => {
  ens = await startEns();
  account = newAccount();
  await ens.adopt('alice.eth', account);
});
afterAll(() => ens.node.stop());
beforeEach(async () => {
  proxy = await startProxy(ens.node.url);
});
afterEach(() => proxy.stop());

/** A port without a listener. */
const DOWN = 'http://127.0.0.1:9';

const sourceOf = (...nodes: readonly Endpoint[]) =>
  createChainSource({ client: createClientOf(...nodes), ccip: null, now: Date.now });

/** A profile, or the error. */
const fetchFrom = (source: ProfileSource, of: Address) => source.fetchProfile(of, '').catch(requireRemote);

async function fetchOne(...nodes: readonly Endpoint[]) {
  return fetchFrom(sourceOf(...nodes), account);
}

/** Counts the calls to the node. */
function counting(node: Endpoint): { node: Endpoint; count: () => number } {
  let calls = 0;
  const counted = watch(node, () => {
    calls += 1;
  });
  return { node: counted, count: () => calls };
}

describe('createChainSource with several nodes', () => {
  it('makes one call for the primary name and one for all records', async () => {
    const { node, count } = counting(nodeAt(ens.node.url));
    await fetchOne(node);
    expect(count()).toBe(2);
  });

  it('makes one call for an account without a name', async () => {
    const { node, count } = counting(nodeAt(ens.node.url));
    await fetchFrom(sourceOf(node), newAccount());
    expect(count()).toBe(1);
  });

  it('sets fresh to the time before the first call', async () => {
    let time = 1_000;
    const node = watch(nodeAt(ens.node.url), () => {
      time += 1_000;
    });
    const source = createChainSource({ client: createClientOf(node), ccip: null, now: () => time });
    expect(await fetchFrom(source, account)).toMatchObject({ fresh: 1_000 });
  });

  it.each(['internal error', 'error', 'HTML page', 'dropped connection'] as const)(
    'fails over to the second node when the first has the fault: %s',
    async (fault) => {
      proxy.script = () => fault;
      expect(await fetchOne(nodeAt(proxy.url), nodeAt(ens.node.url))).toMatchObject({ name: 'alice.eth' });
    },
  );

  it('fails over to the second node when the first is unreachable', async () => {
    expect(await fetchOne(nodeAt(DOWN), nodeAt(ens.node.url))).toMatchObject({ name: 'alice.eth' });
  });

  it('fails if the name moves between the two calls', async () => {
    const moving = newAccount();
    await ens.adopt('moving.eth', moving);
    let calls = 0;
    const node = watch(nodeAt(ens.node.url), async () => {
      if (++calls === 2) await ens.send(ens.publicResolver, setAddr('moving.eth', newAccount()));
    });
    expect(await fetchFrom(sourceOf(node), moving)).toMatchObject({
      message: expect.stringContaining('the name changed between two calls'),
    });
  });

  it('fails if the name loses its resolver between the two calls', async () => {
    const leaving = newAccount();
    await ens.adopt('leaving.eth', leaving);
    let calls = 0;
    const node = watch(nodeAt(ens.node.url), async () => {
      if (++calls === 2) await ens.register('leaving.eth', null);
    });
    expect(await fetchFrom(sourceOf(node), leaving)).toMatchObject({
      message: expect.stringContaining('the name changed between two calls'),
    });
  });

  it('sends nothing to nodes of another chain', async () => {
    const other: Endpoint = { ...nodeAt(ens.node.url), send: async () => '0xaa36a7' };
    expect(await fetchOne(other)).toMatchObject({
      name: 'RemoteError',
      message: expect.stringMatching(/^ens: reverse: unreachable: RPC_URL_1: .* is a node of chain 11155111/),
    });
  });
});

describe('createChainSource with a failing node', () => {
  it.each([
    ['internal error', 'http'],
    ['overload', 'http'],
    ['error', 'refused'],
    ['HTML page', 'malformed'],
    ['dropped connection', 'unreachable'],
  ] as const)('fails to fetch a profile after the fault: %s', async (fault, kind) => {
    proxy.script = () => fault;
    expect(await fetchOne(nodeAt(proxy.url))).toMatchObject({ name: 'RemoteError', fault: { kind } });
  });

  it('fails to fetch a profile if the response is not hex', async () => {
    const node = nodeAt(ens.node.url);
    const odd: Endpoint = { ...node, send: async (call) => (call.method === 'eth_call' ? 'yes' : node.send(call)) };
    expect(await fetchOne(odd)).toMatchObject({ fault: { kind: 'malformed' } });
  });

  it('fails to resolve a name', async () => {
    proxy.script = () => 'internal error';
    const holder = sourceOf(nodeAt(proxy.url)).fetchHolder('alice.eth');
    await expect(holder).rejects.toMatchObject({ fault: { kind: 'http', status: 500 } });
  });

  it('fails to fetch a profile if no node is reachable', async () => {
    expect(await fetchOne(nodeAt(DOWN))).toMatchObject({ fault: { kind: 'unreachable' } });
  });

  it.each(['internal error', 'error', 'HTML page'] as const)(
    'shows no secret of its URL in the error: %s',
    async (fault) => {
      proxy.script = () => fault;
      const found = String(await fetchOne(nodeAt(proxy.url)));
      expect(SECRETS.filter((secret) => found.includes(secret))).toEqual([]);
    },
  );
});

describe('a contract that is not the Universal Resolver', () => {
  const NOTHING = '0x';
  /** Reverts without a reason. */
  const REVERTING = '0x60006000fd';
  /** Reverts with the bare selector of OffchainLookup. */
  const TRUNCATED_LOOKUP = '0x63556f183060e01b60005260046000fd';
  /** Returns one zero word. */
  const ZERO = '0x60206000f3';

  it.each([
    ['does not exist', NOTHING, 'returned an invalid response: no data: there is no Universal Resolver on this chain'],
    ['reverts without a reason', REVERTING, 'rejected the request with code 3: reverted without a reason'],
    ['returns other data', ZERO, 'returned an invalid response: unexpected return data'],
  ] as const)('makes fetchProfile fail if it %s', async (_what, code, message) => {
    const found = await ens.withCode(code, () => fetchOne(nodeAt(ens.node.url)));
    expect(found).toMatchObject({ message: `ens: reverse: ${message}` });
  });

  it.each([
    ['does not exist', NOTHING, 'no data: there is no Universal Resolver on this chain'],
    ['reverts without a reason', REVERTING, 'reverted without a reason'],
    ['returns other data', ZERO, 'unexpected return data'],
  ] as const)('makes fetchHolder fail if it %s', async (_what, code, message) => {
    const holder = ens.withCode(code, () => sourceOf(nodeAt(ens.node.url)).fetchHolder('alice.eth'));
    await expect(holder).rejects.toThrow(message);
  });

  it.each([
    ['requests an unreachable gateway', 'DirectLookup', 'ens: reverse: unreachable: '],
    ['requests a lookup for another contract', 'ForeignLookup', 'ens: reverse: returned an invalid response: '],
  ])('makes fetchProfile fail if it %s', async (_what, contract, message) => {
    const ccip = createCcipGateway({ fetch: createGuardedFetch({ isAllowed }) });
    const client = createClientOf(nodeAt(ens.node.url));
    const source = createChainSource({ client, ccip, now: Date.now });
    const found = await ens.withCode(ens.codeOf(contract), () => fetchFrom(source, account));
    expect(found).toMatchObject({ message: expect.stringMatching(`^${message}(?!.*SECRET)`) });
  });

  it('makes fetchProfile fail if its OffchainLookup is invalid', async () => {
    const ccip = createCcipGateway({ fetch: createGuardedFetch({ isAllowed }) });
    const source = createChainSource({ client: createClientOf(nodeAt(ens.node.url)), ccip, now: Date.now });
    const found = await ens.withCode(TRUNCATED_LOOKUP, () => fetchFrom(source, account));
    expect(found).toMatchObject({ fault: { kind: 'malformed' } });
  });

  it('does not cause a failover to another node', async () => {
    const second = counting(nodeAt(ens.node.url));
    await ens.withCode(REVERTING, () => fetchOne(nodeAt(ens.node.url), second.node));
    expect(second.count()).toBe(0);
  });
});
