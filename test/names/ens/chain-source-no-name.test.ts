import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { createClientOf, type EnsWorld, newAccount, nodeAt, startEns } from './ens-world.ts';

let ens: EnsWorld;
beforeAll(async () => {
  ens = await startEns();
});
afterAll(() => ens.anvil.stop());

const NOW = 1_700_000_000_000;

async function fetchOne(account: Address) {
  const source = createChainSource({ client: createClientOf(nodeAt(ens.anvil.url)), ccip: null, now: () => NOW });
  return (await source.fetchProfiles([account], { fresh: false })).get(account);
}

const nobody = { name: '', display: '', resolver: '', records: {}, chains: {}, errors: {}, fresh: NOW };

describe('an account has no name', () => {
  it('when it has claimed none', async () => {
    expect(await fetchOne(newAccount())).toEqual(nobody);
  });

  it('when what it claimed is empty', async () => {
    const account = newAccount();
    await ens.claim(account, '');
    expect(await fetchOne(account)).toEqual(nobody);
  });

  it('when the name leads to another account', async () => {
    const account = newAccount();
    await ens.adopt('taken.eth', newAccount());
    await ens.claim(account, 'taken.eth');
    expect(await fetchOne(account)).toEqual(nobody);
  });

  it('when the name leads nowhere', async () => {
    const account = newAccount();
    await ens.register('nowhere.eth', ens.publicResolver);
    await ens.claim(account, 'nowhere.eth');
    expect(await fetchOne(account)).toEqual(nobody);
  });

  it.each([
    ['capital letters', 'Upper.eth'],
    ['an emoji in a form that is not the normal one', '❤\ufe0f.eth'],
    ['a letter that looks like another', 'аpple.eth'],
    ['no dot', 'dotless'],
    ['spaces', 'two words.eth'],
  ])('when the name that leads back to it has %s', async (_what, name) => {
    const account = newAccount();
    await ens.adopt(name, account);
    expect(await fetchOne(account)).toEqual(nobody);
  });

  it('when the name has no resolver', async () => {
    const account = newAccount();
    await ens.register('resolverless.eth', null);
    await ens.claim(account, 'resolverless.eth');
    expect(await fetchOne(account)).toEqual(nobody);
  });

  it('when only a name above has a resolver, which is no wildcard', async () => {
    const account = newAccount();
    await ens.adopt('above.eth', newAccount());
    await ens.claim(account, 'below.above.eth');
    expect(await fetchOne(account)).toEqual(nobody);
  });

  it("when the name's resolver is no contract", async () => {
    const account = newAccount();
    await ens.register('hollow.eth', newAccount());
    await ens.claim(account, 'hollow.eth');
    expect(await fetchOne(account)).toEqual(nobody);
  });

  it('when the resolver that it claims with is no contract', async () => {
    const account = newAccount();
    await ens.claimWithResolver(account, newAccount());
    expect(await fetchOne(account)).toEqual(nobody);
  });

  it('when the resolver that it claims with knows no names', async () => {
    const account = newAccount();
    await ens.claimWithResolver(account, ens.oldResolver);
    expect(await fetchOne(account)).toEqual(nobody);
  });

  it.each([
    ['an empty part', 'two..dots'],
    ['too long a part', `${'x'.repeat(256)}.eth`],
  ])('when what it claimed has %s', async (_what, name) => {
    const account = newAccount();
    await ens.claim(account, name);
    expect(await fetchOne(account)).toEqual(nobody);
  });
});

describe('it cannot be told whether an account has a name', () => {
  it('when the resolver that it claims with fails', async () => {
    const account = newAccount();
    await ens.claimWithResolver(account, ens.revertingResolver);
    expect(await fetchOne(account)).toMatchObject({
      message: 'ens: reverse: rejected the request with code 3: resolver: closed',
    });
  });

  it("when the name's resolver fails", async () => {
    const account = newAccount();
    await ens.register('broken.eth', ens.revertingResolver);
    await ens.claim(account, 'broken.eth');
    expect(await fetchOne(account)).toMatchObject({
      message: 'ens: reverse: rejected the request with code 3: resolver: closed',
    });
  });
});
