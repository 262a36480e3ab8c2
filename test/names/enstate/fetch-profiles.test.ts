import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/protocol/hex.ts';
import { RemoteError } from '../../../src/remote/remote-error.ts';
import { type Answer, ccipError, notFound, notOwned, otherError, profileOf } from './fake-enstate.ts';
import { accountOf, ada, bob, control, cyd, keeper, NOW, nameless, profileOrFault, setUp, unproven } from './set-up.ts';

const setting = setUp();
const queriesSent = () => setting.fake.requests.map(({ queries }) => queries);
const script = (account: string, ...answers: Answer[]) => setting.fake.script.set(account, answers);
/** The name or the fault of each account. */
const namesOf = async (accounts: readonly Address[]) => {
  const profiles = await setting.source.fetchProfiles(accounts, { fresh: false });
  return accounts.map((account) => {
    const result = profiles.get(account);
    return result instanceof RemoteError ? result.fault : result?.name;
  });
};

describe('fetchProfiles of enstate', () => {
  it('returns the profile of the server', async () => {
    setting.fake.addName('ada.eth', ada, {
      avatar: 'https://img.example/ada.png',
      display: 'Ada.eth',
      contenthash: 'ipfs://x',
      records: { url: 'https://ada.example' },
      chains: { btc: 'bc1qExample' },
      ccip_urls: ['https://gateway.example'],
    });
    expect(await profileOrFault(setting.source, ada)).toEqual({
      name: 'ada.eth',
      display: 'Ada.eth',
      resolver: '0x231b0ee14048e9dccd1d247744d114a4eb5e8e63',
      records: { url: 'https://ada.example', contenthash: 'ipfs://x' },
      chains: { btc: 'bc1qExample' },
      images: { avatar: 'https://img.example/ada.png', header: '' },
      errors: {},
      fresh: NOW,
    });
  });

  it('sends one request per batch', async () => {
    const accounts = Array.from({ length: setting.source.batchSize }, (_, index) => accountOf(10 + index));
    for (const [index, account] of accounts.entries()) setting.fake.addName(`n${index}.eth`, account);
    await setting.source.fetchProfiles(accounts, { fresh: false });
    expect(setting.fake.requests).toHaveLength(1);
  });

  it('sends no request for an empty batch', async () => {
    await setting.source.fetchProfiles([], { fresh: false });
    expect(setting.fake.requests).toEqual([]);
  });

  it.each([
    ['sorts', true],
    ['does not sort', false],
  ])('matches profiles to accounts if the server %s', async (_, sorts) => {
    setting.fake.sorts = sorts;
    setting.fake.addName('ada.eth', ada);
    setting.fake.addName('bob.eth', bob);
    setting.fake.addName('cyd.eth', cyd);
    expect(await namesOf([cyd, ada, bob, ada])).toEqual(['cyd.eth', 'ada.eth', 'bob.eth', 'ada.eth']);
  });

  it.each([
    ['another account', profileOf('ada.eth', bob)],
    ['no account', profileOf('ada.eth')],
  ])('rejects the profile of %s', async (_, profile) => {
    script(ada, { type: 'success', fresh: NOW, ...profile });
    expect(await profileOrFault(setting.source, ada)).toEqual({
      kind: 'malformed',
      message: expect.stringMatching(/^address: /),
    });
  });

  it.each([true, false])('bypasses the cache of the server only if fresh: %s', async (fresh) => {
    setting.fake.addName('new.eth', ada);
    setting.fake.cache.set(ada, { type: 'success', fresh: NOW - 600_000, ...profileOf('old.eth', ada) });
    const expected = fresh ? { name: 'new.eth', fresh: NOW } : { name: 'old.eth', fresh: NOW - 600_000 };
    expect(await profileOrFault(setting.source, ada, fresh)).toMatchObject(expected);
  });

  it('clamps the time of a server with a fast clock', async () => {
    setting.fake.addName('ada.eth', ada);
    setting.fake.clock = NOW + 3_600_000;
    expect(await profileOrFault(setting.source, ada)).toMatchObject({ name: 'ada.eth', fresh: NOW });
  });

  it.each([
    ['a failing gateway', ccipError, 502],
    ['a failing server', otherError, 500],
    ['a rate limit', { type: 'error', status: 429, error: 'slow down' }, 429],
  ])('returns an error after %s', async (_, answer, status) => {
    script(ada, answer);
    expect(await profileOrFault(setting.source, ada)).toEqual({ kind: 'http', status, retryAfterMs: null });
  });

  it('returns a profile though another account of the batch fails', async () => {
    setting.fake.addName('ada.eth', ada);
    script(bob, ccipError);
    expect(await namesOf([ada, bob])).toEqual(['ada.eth', { kind: 'http', status: 502, retryAfterMs: null }]);
  });
});

describe('fetchProfiles of enstate for an account that is not found', () => {
  it('returns an empty profile if a second request finds the control but not the account', async () => {
    expect(await profileOrFault(setting.source, ada)).toEqual(nameless(NOW));
    expect(queriesSent()).toEqual([[ada], [ada, keeper]]);
  });

  it('bypasses the cache of the server in the second request', async () => {
    setting.fake.addName('ada.eth', ada);
    setting.fake.cache.set(ada, notFound);
    expect(await profileOrFault(setting.source, ada)).toMatchObject({ name: 'ada.eth' });
    expect(setting.fake.requests.map(({ fresh }) => fresh)).toEqual([false, true]);
  });

  it.each([true, false])('never returns an empty profile after a single 404 (fresh: %s)', async (fresh) => {
    setting.fake.addName('ada.eth', ada);
    script(ada, notFound);
    expect(await profileOrFault(setting.source, ada, fresh)).toMatchObject({ name: 'ada.eth' });
  });

  it('returns an empty profile after two 404s and a found control, whatever their cause', async () => {
    setting.fake.addName('ada.eth', ada);
    script(ada, notFound, notFound);
    expect(await profileOrFault(setting.source, ada)).toEqual(nameless(NOW));
  });

  it('sets fresh to the time before the second request', async () => {
    let time = NOW;
    const source = setting.create({ now: () => time });
    setting.fake.faultOf = () => {
      time += 1_000;
      return undefined;
    };
    expect(await profileOrFault(source, ada)).toMatchObject({ name: '', fresh: NOW + 1_000 });
  });

  it('returns an error if the control is not found either', async () => {
    setting.fake.nodeDown = true;
    expect(await profileOrFault(setting.source, ada)).toEqual(unproven);
  });

  it.each([
    ['fails', ccipError],
    ['has an unverified reverse record', notOwned],
    ['returns another account', { type: 'success', fresh: NOW, ...profileOf('keeper.eth', bob) }],
    ['returns an invalid profile', { type: 'success', fresh: NOW, ...profileOf('keeper.eth', keeper), records: 7 }],
  ])('returns an error if the control %s', async (_, answer) => {
    script(keeper, answer);
    expect(await profileOrFault(setting.source, ada)).toEqual(unproven);
  });

  it('returns an error if the control is found in the cache only', async () => {
    setting.fake.nodeDown = true;
    setting.fake.cache.set(keeper, { type: 'success', fresh: NOW, ...profileOf('keeper.eth', keeper) });
    expect(await profileOrFault(setting.source, ada)).toEqual(unproven);
  });

  it.each([
    ['a failing gateway', ccipError, 502],
    ['a failing server', otherError, 500],
  ])('returns an error if the second response is %s', async (_, answer, status) => {
    script(ada, notFound, answer);
    expect(await profileOrFault(setting.source, ada)).toEqual({ kind: 'http', status, retryAfterMs: null });
  });

  it('does not affect the profiles of other accounts', async () => {
    setting.fake.addName('bob.eth', bob);
    setting.fake.nodeDown = true;
    setting.fake.cache.set(bob, { type: 'success', fresh: NOW, ...profileOf('bob.eth', bob) });
    expect(await namesOf([ada, bob])).toEqual([unproven, 'bob.eth']);
  });

  it('does not use the account as its own control', async () => {
    setting.fake.removeName(control.name);
    expect(await profileOrFault(setting.source, keeper)).toEqual(unproven);
  });

  it('does not return the profile of the control', async () => {
    const profiles = await setting.source.fetchProfiles([ada, bob], { fresh: false });
    expect([...profiles.keys()]).toEqual([ada, bob]);
  });
});

describe('fetchProfiles of enstate for an account with a stored name that is not found', () => {
  const ask = () => profileOrFault(setting.source, ada, false, 'ada.eth');
  /** Scripts two 404s for the account. */
  const lose = () => script(ada, notFound, notFound);

  it('returns an empty profile if the name resolves to null', async () => {
    expect(await ask()).toEqual(nameless(NOW));
  });

  it('returns an empty profile if the name resolves to another account', async () => {
    setting.fake.addName('ada.eth', bob);
    expect(await ask()).toEqual(nameless(NOW));
  });

  it('returns an empty profile if the name still resolves to the account, whose reverse record is gone', async () => {
    setting.fake.addName('ada.eth', ada);
    lose();
    expect(await ask()).toEqual(nameless(NOW));
  });

  it.each([
    ['its gateway fails', ccipError, 502],
    ['the server fails', otherError, 500],
  ])('returns an error if the name cannot be resolved: %s', async (_, answer, status) => {
    lose();
    script('ada.eth', answer);
    expect(await ask()).toEqual({ kind: 'http', status, retryAfterMs: null });
  });

  it('returns an error if neither the name nor the control is found', async () => {
    script(control.name, notFound, notFound);
    expect(await ask()).toEqual(unproven);
  });

  it('returns an error if enstate does not support the name', async () => {
    const answer = await profileOrFault(setting.source, ada, false, 'ada.\u{1f9d9}');
    expect(answer).toEqual({ kind: 'malformed', message: 'not found, but enstate does not support such names' });
  });

  it('bypasses the cache of the server to resolve the name', async () => {
    setting.fake.cache.set('ada.eth', { type: 'success', fresh: NOW, ...profileOf('ada.eth', ada) });
    expect(await ask()).toEqual(nameless(NOW));
    expect(setting.fake.requests.filter(({ queries }) => queries.includes('ada.eth'))).toMatchObject([
      { bulk: false, fresh: true },
      { bulk: true, fresh: true },
    ]);
  });

  it('resolves the name only after two 404s', async () => {
    setting.fake.addName('ada.eth', ada);
    script(ada, notFound);
    expect(await ask()).toMatchObject({ name: 'ada.eth' });
    expect(queriesSent()).toEqual([[ada], [ada, keeper]]);
  });

  it('does not affect other accounts that have lost their name', async () => {
    script('ada.eth', ccipError);
    const names = new Map([
      [ada, 'ada.eth'],
      [bob, 'bob.eth'],
    ]);
    const profiles = await setting.source.fetchProfiles([ada, bob], { fresh: false, names });
    expect([profiles.get(ada), profiles.get(bob)]).toEqual([expect.any(RemoteError), nameless(NOW)]);
  });
});

describe('fetchProfiles of enstate for an account with an unverified reverse record', () => {
  it('returns an empty profile without a second request', async () => {
    script(ada, notOwned);
    expect(await profileOrFault(setting.source, ada)).toEqual(nameless(NOW));
    expect(setting.fake.requests).toHaveLength(1);
  });

  it('returns an empty profile if the second response says so', async () => {
    script(ada, notFound, notOwned);
    setting.fake.removeName(control.name);
    expect(await profileOrFault(setting.source, ada)).toEqual(nameless(NOW));
  });
});
