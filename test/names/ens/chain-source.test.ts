import { btc } from '@ensdomains/address-encoder/coins';
import { type Hex, toFunctionSelector } from 'viem';
import { toCoinType } from 'viem/ens';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import { TEXT_KEYS } from '../../../src/names/profile-source.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { createClientOf, nodeAt } from './client-of.ts';
import { type EnsNode, newAccount, setAddr, setCoin, setContenthash, setText, startEns } from './ens-node.ts';

let ens: EnsNode;
beforeAll(async () => {
  ens = await startEns();
});
afterAll(() => ens.node.stop());

const NOW = 1_700_000_000_000;

const sourceOf = () => createChainSource({ client: createClientOf(nodeAt(ens.node.url)), ccip: null, now: () => NOW });

const fetchProfile = (account: Address) => sourceOf().fetchProfile(account, '');

describe('fetchProfile for an onchain name', () => {
  it('returns the verified primary name and the resolver', async () => {
    const account = newAccount();
    await ens.adopt('alice.eth', account);
    expect(await fetchProfile(account)).toEqual({
      name: 'alice.eth',
      display: '',
      resolver: ens.publicResolver,
      records: {},
      chains: { eth: account },
      errors: {},
      fresh: NOW,
    });
  });

  it.each(['🦄.eth', 'a.b.subname.eth', 'nick.xyz'])('returns the name %s', async (name) => {
    const account = newAccount();
    await ens.adopt(name, account);
    expect((await fetchProfile(account)).name).toBe(name);
  });

  it('returns all text records in TEXT_KEYS', async () => {
    const account = newAccount();
    await ens.adopt('texts.eth', account);
    const texts = Object.fromEntries(TEXT_KEYS.map((key) => [key, `“${key}” is 什麼 🫶\n`]));
    for (const [key, value] of Object.entries(texts)) {
      await ens.send(ens.publicResolver, setText('texts.eth', key, value));
    }
    await ens.send(ens.publicResolver, setText('texts.eth', 'unheard.of', 'left alone'));
    const { records, errors } = await fetchProfile(account);
    expect({ records, errors }).toEqual({ records: texts, errors: {} });
  });

  it('returns the display record', async () => {
    const account = newAccount();
    await ens.adopt('display.eth', account);
    await ens.send(ens.publicResolver, setText('display.eth', 'display', 'DisPlay.eth'));
    expect((await fetchProfile(account)).display).toBe('DisPlay.eth');
  });

  it('returns addresses on other chains', async () => {
    const account = newAccount();
    await ens.adopt('chains.eth', account);
    const other: Record<string, Address> = {};
    for (const [key, id] of Object.entries({ op: 10, base: 8453, arb1: 42161, matic: 137, gno: 100 })) {
      other[key] = newAccount();
      await ens.send(ens.publicResolver, setCoin('chains.eth', toCoinType(id), other[key]));
    }
    const { chains, errors } = await fetchProfile(account);
    expect({ chains, errors }).toEqual({ chains: { eth: account, ...other }, errors: {} });
  });

  it.each([
    ['P2PKH', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['P2SH', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['SegWit', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['Taproot', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
  ])('returns a Bitcoin address of the kind %s', async (kind, address) => {
    const account = newAccount();
    const name = `bitcoin-${kind.toLowerCase()}.eth`;
    await ens.adopt(name, account);
    const script: Hex = `0x${Buffer.from(btc.decode(address)).toString('hex')}`;
    await ens.send(ens.publicResolver, setCoin(name, 0n, script));
    expect((await fetchProfile(account)).chains.btc).toBe(address);
  });

  it('returns the content hash as a URL', async () => {
    const account = newAccount();
    await ens.adopt('site.eth', account);
    const hash = '0xe30101701220c3c4733ec8affd06cf9e9ff50ffc6bcd2ec85a6170004bb709669c31de94391a';
    await ens.send(ens.publicResolver, setContenthash('site.eth', hash));
    expect((await fetchProfile(account)).records).toEqual({
      contenthash: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
    });
  });

  it('reads a word for the address on Ethereum, and takes records that are not implemented for absent', async () => {
    const account = newAccount();
    const resolver = await ens.deploy('FirstDnsResolver');
    await ens.register('first.com', resolver);
    await ens.send(resolver, setAddr('first.com', account));
    await ens.claim(account, 'first.com');
    const { name, records, chains, errors } = await fetchProfile(account);
    expect({ name, records, chains, errors }).toEqual({
      name: 'first.com',
      records: {},
      chains: { eth: account },
      errors: {},
    });
  });

  it('keeps the name if addr(node, 60) differs from addr(node)', async () => {
    const account = newAccount();
    const resolver = await ens.deploy('SplitResolver');
    await ens.register('split.eth', resolver);
    await ens.send(resolver, setAddr('split.eth', account));
    await ens.claim(account, 'split.eth');
    expect(await fetchProfile(account)).toMatchObject({
      name: 'split.eth',
      chains: { eth: `0x${'beef'.padStart(40, '0')}` },
    });
  });

  it('returns no texts if the resolver does not support them', async () => {
    const account = newAccount();
    await ens.register('old.eth', ens.oldResolver);
    await ens.send(ens.oldResolver, setAddr('old.eth', account));
    await ens.claim(account, 'old.eth');
    const { name, resolver, records, chains, errors } = await fetchProfile(account);
    expect({ name, resolver, records, chains, errors }).toEqual({
      name: 'old.eth',
      resolver: ens.oldResolver,
      records: {},
      chains: {},
      errors: {},
    });
  });

  it('returns the readable records, and an error for each that fails', async () => {
    const account = newAccount();
    await ens.register('failing.eth', ens.failingResolver);
    await ens.send(ens.failingResolver, setAddr('failing.eth', account));
    await ens.claim(account, 'failing.eth');
    const { records, errors } = await fetchProfile(account);
    const failing = ['avatar', 'header', 'description', 'url', 'email', 'location', 'status'];
    const rest = TEXT_KEYS.filter((key) => !failing.includes(key));
    expect(records).toEqual(Object.fromEntries(rest.map((key) => [key, `the ${key}`])));
    expect(errors).toEqual({
      'records.avatar': 'no picture for … today',
      'records.header': `reverted with ${toFunctionSelector('Forbidden(address)')}`,
      'records.description': 'longer than 16384 characters',
      'records.url': 'reverted with Panic',
      'records.location': 'cannot be decoded: 32 bytes starting with 0x00000000',
      'records.status': `s${'o'.repeat(199)}`,
    });
  });
});

describe('fetchHolder', () => {
  const fetchHolder = (name: string) => sourceOf().fetchHolder(name);

  it('returns the address of the name, whether or not it is a primary name', async () => {
    const account = newAccount();
    await ens.register('held.eth', ens.publicResolver);
    await ens.send(ens.publicResolver, setAddr('held.eth', account));
    expect(await fetchHolder('held.eth')).toBe(account);
  });

  it('returns null if the name has no address', async () => {
    await ens.register('unheld.eth', ens.publicResolver);
    expect(await fetchHolder('unheld.eth')).toBeNull();
  });

  it('returns null if the name does not exist', async () => {
    expect(await fetchHolder('never-registered.eth')).toBeNull();
  });

  it('returns null if the resolver is not a contract', async () => {
    await ens.register('unresolved.eth', newAccount());
    expect(await fetchHolder('unresolved.eth')).toBeNull();
  });

  it.each(['CouldNotResolveResolver', 'UnreachableNameResolver'])(
    'returns null if the resolver reverts as the %s',
    async (contract) => {
      await ens.register(`${contract.toLowerCase()}.com`, await ens.deploy(contract));
      expect(await fetchHolder(`${contract.toLowerCase()}.com`)).toBeNull();
    },
  );

  it('returns null for a DNS name whose record names an address without a contract', async () => {
    await ens.register('nobody.com', await ens.deploy('NoContractResolver'));
    expect(await fetchHolder('nobody.com')).toBeNull();
    await ens.register('nobody.eth', await ens.deploy('NoContractResolver'));
    await expect(fetchHolder('nobody.eth')).rejects.toThrow('resolver: reverted without a reason');
  });

  it('throws if the resolver reverts', async () => {
    await ens.register('unknown.eth', ens.revertingResolver);
    await expect(fetchHolder('unknown.eth')).rejects.toThrow('ens: address: rejected the request with code 3');
  });
});
