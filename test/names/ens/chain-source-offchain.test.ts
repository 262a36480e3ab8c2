import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCcipGateway } from '../../../src/names/ens/ccip-gateway.ts';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import { TEXT_KEYS } from '../../../src/names/profile-source.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { createGuardedFetch, type GuardedFetchOptions } from '../../../src/remote/guarded-fetch.ts';
import { requireRemote } from '../../../src/remote/remote-error.ts';
import { createClientOf, nodeAt } from './client-of.ts';
import { type EnsNode, newAccount, resolverAbi, setAddr, startEns } from './ens-node.ts';
import { type GatewayServer, type Handler, reply, startGateway } from './gateway-server.ts';
import { isAllowed } from './loopback.ts';
import { answerFromBook, book, type Entry, gatewayAbi, misanswer, readQuestion } from './offchain-book.ts';

const NOW = 1_700_000_000_000;

let ens: EnsNode;
let gateway: GatewayServer;

beforeAll(async () => {
  ens = await startEns();
  gateway = await startGateway();
  await ens.register('offchain.eth', ens.offchainResolver);
});
afterAll(async () => {
  await gateway.stop();
  await ens.node.stop();
});
beforeEach(async () => {
  gateway.handler = answerFromBook;
  gateway.requests.length = 0;
  await setUrls([`${gateway.origin}/{sender}/{data}.json`]);
});

const configure = (functionName: 'setUrls' | 'setInsatiable' | 'setQuestion', arg: readonly string[] | boolean | Hex) =>
  // Safe: each function is called with its own arguments.
  ens.send(ens.offchainResolver, encodeFunctionData({ abi: resolverAbi, functionName, args: [arg] as never }));
const setUrls = (urls: readonly string[]) => configure('setUrls', urls);

function sourceOf({ isOn = true, ...options }: GuardedFetchOptions & { isOn?: boolean } = {}) {
  const fetch = createGuardedFetch({ isAllowed, ...options });
  const ccip = isOn ? createCcipGateway({ fetch }) : null;
  return createChainSource({ client: createClientOf(nodeAt(ens.node.url)), ccip, now: () => NOW });
}

async function fetchOne(account: Address, source = sourceOf()) {
  return source.fetchProfile(account, '').catch(requireRemote);
}

/** An account with an offchain name. */
async function join(name: string, entry: Entry = {}): Promise<Address> {
  const account = newAccount();
  book.set(name, { account, ...entry });
  await ens.claim(account, name);
  return account;
}

describe('an offchain name', () => {
  it('resolves to the address that its gateway returns', async () => {
    const account = newAccount();
    book.set('forward.offchain.eth', { account });
    expect(await sourceOf().fetchHolder('forward.offchain.eth')).toBe(account);
  });

  it('resolves to null if its gateway returns no address', async () => {
    expect(await sourceOf().fetchHolder('unknown.offchain.eth')).toBeNull();
  });

  it('has a profile like an onchain name', async () => {
    const texts = Object.fromEntries(TEXT_KEYS.map((key) => [key, `${key} from afar`]));
    const account = await join('ada.offchain.eth', { texts });
    expect(await fetchOne(account)).toEqual({
      name: 'ada.offchain.eth',
      display: 'display from afar',
      resolver: ens.offchainResolver,
      records: texts,
      chains: { eth: account },
      errors: {},
      fresh: NOW,
    });
  });

  it('can be a primary name through an offchain reverse record', async () => {
    const account = newAccount();
    book.set(`${account.slice(2)}.addr.reverse`, { name: 'remote.offchain.eth' });
    book.set('remote.offchain.eth', { account });
    await ens.claimWithResolver(account, ens.offchainResolver);
    expect(await fetchOne(account)).toMatchObject({ name: 'remote.offchain.eth', errors: {} });
  });

  it('is not a primary name if its gateway returns another account', async () => {
    const account = await join('stolen.offchain.eth', { account: newAccount() });
    expect(await fetchOne(account)).toMatchObject({ name: '', errors: {} });
  });

  it('is requested by POST if the gateway URL has no {data} placeholder', async () => {
    await setUrls([`${gateway.origin}/post`]);
    const account = newAccount();
    book.set('posted.offchain.eth', { account });
    gateway.handler = ({ body }, response) => {
      response.end(JSON.stringify({ data: readQuestion(`${JSON.parse(body).data}.json`).result }));
    };
    expect(await sourceOf().fetchHolder('posted.offchain.eth')).toBe(account);
  });

  it('is kept if its gateway returns another address for addr(node, 60)', async () => {
    const coin = newAccount();
    const account = await join('fickle.offchain.eth', { coin });
    expect(await fetchOne(account)).toMatchObject({ name: 'fickle.offchain.eth', chains: { eth: coin } });
  });

  it('resolves through a data URL without a request', async () => {
    const account = newAccount();
    const word = `0x${account.slice(2).padStart(64, '0')}`;
    await setUrls([`data:application/json,${encodeURIComponent(JSON.stringify({ data: word }))}`]);
    expect(await sourceOf().fetchHolder('inline.offchain.eth')).toBe(account);
    expect(gateway.requests).toEqual([]);
  });

  it('is requested with a User-Agent', async () => {
    await sourceOf().fetchHolder('polite.offchain.eth');
    expect(gateway.requests.map(({ headers }) => headers['user-agent'])).toEqual(['kith']);
  });

  it('resolves to null if its gateway responds with status 404', async () => {
    gateway.handler = reply(404, '');
    expect(await sourceOf().fetchHolder('missing.offchain.eth')).toBeNull();
  });

  it('is no primary name of an account without a stored name if its gateway responds with status 404', async () => {
    const account = await join('missing.offchain.eth');
    gateway.handler = reply(404, '');
    expect(await fetchOne(account)).toMatchObject({ name: '', errors: {} });
  });

  it('is not removed from the account that has it if its gateway responds with status 404', async () => {
    const account = await join('misconfigured.offchain.eth');
    gateway.handler = reply(404, '');
    const found = await sourceOf().fetchProfile(account, 'misconfigured.offchain.eth').catch(requireRemote);
    expect(found).toMatchObject({ name: 'UnresolvableError', fault: { kind: 'http', status: 404 } });
  });

  it('has no record for which its gateway responds with status 404', async () => {
    const account = await join('sparse.offchain.eth', { texts: { url: 'found' } });
    gateway.handler = misanswer('avatar', reply(404, ''));
    expect(await fetchOne(account)).toMatchObject({ records: { url: 'found' }, errors: {} });
  });
});

const anywhere = 'http://169.254.169.254/latest/meta-data/';
const FAILURES: readonly [string, Handler, string][] = [
  ['responds with status 500', reply(500, 'SECRET'), 'responded with HTTP status 500'],
  ['responds with status 429', reply(429, 'SECRET'), 'responded with HTTP status 429'],
  ['responds with HTML', reply(200, '<h1>SECRET</h1>'), 'no hex data in the response'],
  ['responds with JSON without data', reply(200, '{"error":"SECRET"}'), 'no hex data in the response'],
  ['responds with data that is not hex', reply(200, '{"data":"0xSECRET"}'), 'no hex data in the response'],
  ['responds with too many bytes', reply(200, `0x${'00'.repeat(2_000)}`), 'more than 2000 bytes'],
  ['drops the connection', (_request, response) => response.destroy(), 'unreachable: UND_ERR_SOCKET'],
  ['redirects to a non-public address', reply(302, '', { location: anywhere }), 'the host has a non-public address'],
];

describe('a failing gateway', () => {
  it.each(FAILURES)('makes fetchProfile fail if it %s', async (_what, handler, message) => {
    const account = await join('doubtful.offchain.eth');
    gateway.handler = handler;
    const found = await fetchOne(account, sourceOf({ maxBytes: 2_000 }));
    expect(found).toBeInstanceOf(Error);
    expect(found).toMatchObject({ message: expect.stringMatching(new RegExp(`^ens: reverse: .*${message}$`)) });
  });

  it.each(FAILURES)('makes fetchHolder fail if it %s', async (_what, handler, message) => {
    gateway.handler = handler;
    const holder = sourceOf({ maxBytes: 2_000 }).fetchHolder('holder.offchain.eth');
    await expect(holder).rejects.toThrow(new RegExp(`^ens: address: .*${message}$`));
  });

  it.each(FAILURES)('makes a single record fail if it %s', async (_what, handler, message) => {
    const account = await join('partly.offchain.eth', { texts: { avatar: 'lost', url: 'found' } });
    gateway.handler = misanswer('avatar', handler);
    expect(await fetchOne(account, sourceOf({ maxBytes: 2_000 }))).toMatchObject({
      name: 'partly.offchain.eth',
      records: { url: 'found' },
      chains: { eth: account },
      errors: { 'records.avatar': expect.stringMatching(new RegExp(`${message}$`)) },
    });
  });

  it('makes fetchHolder time out if it does not respond', async () => {
    gateway.handler = () => undefined;
    const holder = sourceOf({ timeoutMs: 50 }).fetchHolder('silent.offchain.eth');
    await expect(holder).rejects.toThrow(/^ens: address: .*timed out$/);
  });

  it('causes an error for an address record', async () => {
    const account = await join('chainless.offchain.eth');
    gateway.handler = misanswer('chain 0', reply(503, ''));
    expect(await fetchOne(account)).toMatchObject({
      errors: { 'chains.btc': 'the gateway responded with HTTP status 503' },
    });
  });

  it('makes fetchProfile fail if the resolver requests gateways without end', async () => {
    const account = await join('insatiable.offchain.eth');
    await configure('setInsatiable', true);
    const found = await fetchOne(account);
    await configure('setInsatiable', false);
    expect(found).toMatchObject({ message: expect.stringContaining('too many CCIP-read rounds') });
  });

  it('makes fetchHolder fail if the result is longer than an address', async () => {
    gateway.handler = reply(200, `0x${'00'.repeat(31)}20${'00'.repeat(32)}`);
    await expect(sourceOf().fetchHolder('long.offchain.eth')).rejects.toThrow('unexpected return data');
  });
});

describe('a resolver that requests more gateways than the limit', () => {
  it('is stopped at the limit', async () => {
    const url = `${gateway.origin}/{data}.json`;
    const questions = Array.from({ length: 150 }, () => ({ sender: newAccount(), urls: [url], data: '0x' }) as const);
    await setUrls(['x-batch-gateway:true']);
    await configure('setQuestion', encodeFunctionData({ abi: gatewayAbi, functionName: 'query', args: [questions] }));
    gateway.handler = reply(200, '0x');
    await sourceOf()
      .fetchHolder('flood.offchain.eth')
      .catch(() => undefined);
    await configure('setQuestion', '0x');
    expect(gateway.requests).toHaveLength(128);
  });

  it('reads the responses of few of them at once', async () => {
    const url = `${gateway.origin}/{data}.json`;
    const questions = Array.from({ length: 40 }, () => ({ sender: newAccount(), urls: [url], data: '0x' }) as const);
    await setUrls(['x-batch-gateway:true']);
    await configure('setQuestion', encodeFunctionData({ abi: gatewayAbi, functionName: 'query', args: [questions] }));
    const waiting: (() => void)[] = [];
    gateway.handler = (_request, response) => waiting.push(() => response.end('0x'));
    const found = sourceOf()
      .fetchHolder('many.offchain.eth')
      .catch(() => undefined);
    for (const sent of [16, 32, 40]) {
      await vi.waitFor(() => expect(gateway.requests).toHaveLength(sent));
      for (const answer of waiting.splice(0)) answer();
    }
    await found;
    await configure('setQuestion', '0x');
  });
});

describe('gateways that exceed the time limit together', () => {
  /** A source whose clock advances by more than the limit whenever it is read. */
  function sourceWith(clock: 'now' | 'monotonic') {
    let time = 0;
    return createChainSource({
      client: createClientOf(nodeAt(ens.node.url)),
      ccip: createCcipGateway({ fetch: createGuardedFetch({ isAllowed }) }),
      now: () => NOW,
      [clock]: () => (time += 31_000),
    });
  }

  it('receive no further requests', async () => {
    const found = sourceWith('monotonic').fetchHolder('slow.offchain.eth');
    await expect(found).rejects.toThrow('too many gateway requests');
    expect(gateway.requests).toEqual([]);
  });

  it('are not those of a lookup during which the system clock is set', async () => {
    await sourceWith('now').fetchHolder('slow.offchain.eth');
    expect(gateway.requests).toHaveLength(1);
  });
});

describe('createChainSource without CCIP-read', () => {
  it('fails to fetch the profile of an account with an offchain name', async () => {
    const account = await join('off.offchain.eth');
    expect(await fetchOne(account, sourceOf({ isOn: false }))).toMatchObject({
      message: 'ens: reverse: rejected the request with code 3: CCIP-read is disabled',
    });
  });

  it('fails to resolve an offchain name', async () => {
    const holder = sourceOf({ isOn: false }).fetchHolder('off.offchain.eth');
    await expect(holder).rejects.toThrow('ens: address: rejected the request with code 3: CCIP-read is disabled');
  });

  it('returns what is on chain of a name that is partly off chain', async () => {
    const account = newAccount();
    const resolver = await ens.deploy('HalfOffchainResolver');
    await ens.register('half.eth', resolver);
    await ens.send(resolver, setAddr('half.eth', account));
    await ens.claim(account, 'half.eth');
    expect(await fetchOne(account, sourceOf({ isOn: false }))).toMatchObject({
      name: 'half.eth',
      resolver,
      records: { contenthash: expect.stringMatching(/^ipfs:/) },
      errors: Object.fromEntries(TEXT_KEYS.map((key) => [`records.${key}`, 'CCIP-read is disabled'])),
    });
  });

  it('sends no gateway request', async () => {
    const account = await join('off.offchain.eth');
    await fetchOne(account, sourceOf({ isOn: false }));
    expect(gateway.requests).toEqual([]);
  });
});
