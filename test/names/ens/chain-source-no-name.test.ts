import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { requireRemote } from '../../../src/remote/remote-error.ts';
import { createClientOf, type EnsNode, newAccount, nodeAt, setAddr, startEns } from './ens-node.ts';

let ens: EnsNode;
beforeAll(async () => {
  ens = await startEns();
});
afterAll(() => ens.node.stop());

const NOW = 1_700_000_000_000;

/** `stored` is the primary name in the database. */
async function fetchOne(account: Address, stored = '') {
  const source = createChainSource({ client: createClientOf(nodeAt(ens.node.url)), ccip: null, now: () => NOW });
  return source.fetchProfile(account, stored).catch(requireRemote);
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

describe('an account with a stored name whose reverse resolver reverts', () => {
  /** An account that had the name `name`, and whose reverse record cannot be read any more. */
  async function formerHolder(name: string): Promise<Address> {
    const account = newAccount();
    await ens.adopt(name, account);
    await ens.claimWithResolver(account, ens.revertingResolver);
    return account;
  }

  it('loses the name if the name resolves to another account', async () => {
    const account = await formerHolder('sold.eth');
    await ens.send(ens.publicResolver, setAddr('sold.eth', newAccount()));
    expect(await fetchOne(account, 'sold.eth')).toEqual(noName);
  });

  it('loses the name if the name has no resolver', async () => {
    const account = await formerHolder('expired.eth');
    await ens.register('expired.eth', null);
    expect(await fetchOne(account, 'expired.eth')).toEqual(noName);
  });

  it('keeps the name while the name resolves to the account', async () => {
    const account = await formerHolder('kept.eth');
    expect(await fetchOne(account, 'kept.eth')).toMatchObject({
      name: 'UnresolvableError',
      message: 'ens: reverse: rejected the request with code 3: resolver: closed',
    });
  });

  it('keeps the name if the resolver of the name reverts as well', async () => {
    const account = await formerHolder('dark.eth');
    await ens.register('dark.eth', ens.revertingResolver);
    expect(await fetchOne(account, 'dark.eth')).toMatchObject({ name: 'UnresolvableError' });
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
