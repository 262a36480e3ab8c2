import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { createClientOf, type EnsNode, newAccount, nodeAt, startEns } from './ens-node.ts';

let ens: EnsNode;
beforeAll(async () => {
  ens = await startEns();
});
afterAll(() => ens.anvil.stop());

const NOW = 1_700_000_000_000;

async function fetchOne(account: Address) {
  const source = createChainSource({ client: createClientOf(nodeAt(ens.anvil.url)), ccip: null, now: () => NOW });
  return (await source.fetchProfiles([account], { fresh: false })).get(account);
}

const noName = { name: '', display: '', resolver: '', records: {}, chains: {}, errors: {}, fresh: NOW };

describe('an account without a primary name', () => {
  it('is one that has no reverse record', async () => {
    expect(await fetchOne(newAccount())).toEqual(noName);
  });

  it('is one with an empty reverse record', async () => {
    const account = newAccount();
    await ens.claim(account, '');
    expect(await fetchOne(account)).toEqual(noName);
  });

  it('is one whose claimed name resolves to another account', async () => {
    const account = newAccount();
    await ens.adopt('taken.eth', newAccount());
    await ens.claim(account, 'taken.eth');
    expect(await fetchOne(account)).toEqual(noName);
  });

  it('is one whose claimed name resolves to no address', async () => {
    const account = newAccount();
    await ens.register('nowhere.eth', ens.publicResolver);
    await ens.claim(account, 'nowhere.eth');
    expect(await fetchOne(account)).toEqual(noName);
  });

  it.each([
    ['upper-case letters', 'Upper.eth'],
    ['an emoji that is not normalised', '❤\ufe0f.eth'],
    ['a confusable letter', 'аpple.eth'],
    ['no dot', 'dotless'],
    ['spaces', 'two words.eth'],
  ])('is one whose claimed name has %s', async (_what, name) => {
    const account = newAccount();
    await ens.adopt(name, account);
    expect(await fetchOne(account)).toEqual(noName);
  });

  it('is one whose claimed name has no resolver', async () => {
    const account = newAccount();
    await ens.register('resolverless.eth', null);
    await ens.claim(account, 'resolverless.eth');
    expect(await fetchOne(account)).toEqual(noName);
  });

  it('is one whose claimed name has only a parent resolver without wildcard support', async () => {
    const account = newAccount();
    await ens.adopt('above.eth', newAccount());
    await ens.claim(account, 'below.above.eth');
    expect(await fetchOne(account)).toEqual(noName);
  });

  it('is one whose claimed name has a resolver that is not a contract', async () => {
    const account = newAccount();
    await ens.register('hollow.eth', newAccount());
    await ens.claim(account, 'hollow.eth');
    expect(await fetchOne(account)).toEqual(noName);
  });

  it('is one whose reverse resolver is not a contract', async () => {
    const account = newAccount();
    await ens.claimWithResolver(account, newAccount());
    expect(await fetchOne(account)).toEqual(noName);
  });

  it('is one whose reverse resolver does not support names', async () => {
    const account = newAccount();
    await ens.claimWithResolver(account, ens.oldResolver);
    expect(await fetchOne(account)).toEqual(noName);
  });

  it.each([
    ['an empty label', 'two..dots'],
    ['an over-long label', `${'x'.repeat(256)}.eth`],
  ])('is one whose reverse record has %s', async (_what, name) => {
    const account = newAccount();
    await ens.claim(account, name);
    expect(await fetchOne(account)).toEqual(noName);
  });
});

describe('reverse resolution', () => {
  it('fails if the reverse resolver reverts', async () => {
    const account = newAccount();
    await ens.claimWithResolver(account, ens.revertingResolver);
    expect(await fetchOne(account)).toMatchObject({
      message: 'ens: reverse: rejected the request with code 3: resolver: closed',
    });
  });

  it('fails if the resolver of the claimed name reverts', async () => {
    const account = newAccount();
    await ens.register('broken.eth', ens.revertingResolver);
    await ens.claim(account, 'broken.eth');
    expect(await fetchOne(account)).toMatchObject({
      message: 'ens: reverse: rejected the request with code 3: resolver: closed',
    });
  });
});
