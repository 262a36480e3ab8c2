import { describe, expect, it } from 'vitest';
import { ZERO_ADDRESS } from '../../../src/protocol/hex.ts';
import { ccipError, notFound, notOwned, otherError, profileOf } from './fake-enstate.ts';
import { ada, bob, control, holderOrFault, NOW, setUp, unproven } from './set-up.ts';

const setting = setUp();
const queriesSent = () => setting.fake.requests.map(({ queries }) => queries);
const found = (name: string, account?: string, more?: object) => ({
  type: 'success',
  fresh: NOW,
  ...profileOf(name, account),
  ...more,
});

describe('fetchHolder of enstate', () => {
  it('returns the address of the name', async () => {
    setting.fake.addName('ada.eth', ada);
    expect(await holderOrFault(setting.source, 'ada.eth')).toBe(ada);
  });

  it.each(['🧙.eth', 'zoë.eth', 'a_b.sub.eth', '’s.eth'])('resolves %s', async (name) => {
    setting.fake.addName(name, ada);
    expect(await holderOrFault(setting.source, name)).toBe(ada);
  });

  it('resolves a name that is no primary name', async () => {
    setting.fake.addProfile('vault.eth', profileOf('vault.eth', ada));
    expect(await holderOrFault(setting.source, 'vault.eth')).toBe(ada);
  });

  it.each([true, false])('bypasses the cache of the server only if fresh: %s', async (fresh) => {
    setting.fake.addName('ada.eth', ada);
    setting.fake.cache.set('ada.eth', found('ada.eth', bob));
    expect(await holderOrFault(setting.source, 'ada.eth', fresh)).toBe(fresh ? ada : bob);
  });

  it.each([
    ['no address', {}],
    ['null as its address', { address: null }],
    ['the zero address', { address: ZERO_ADDRESS }],
  ])('returns null if the profile has %s', async (_, more) => {
    setting.fake.addProfile('empty.eth', more);
    expect(await holderOrFault(setting.source, 'empty.eth')).toBeNull();
  });

  it.each([
    ['is of another name', 'name', found('bob.eth', bob)],
    ['has no name', 'name', { ...found('ada.eth', ada), name: undefined }],
    ['has an invalid address', 'address', found('ada.eth', undefined, { address: '0x12' })],
    ['has an error for the address', 'address', found('ada.eth', undefined, { errors: { addr: 'ABI decode error' } })],
    ['has neither an address nor errors', 'errors', found('ada.eth', undefined, { errors: undefined })],
  ])('throws if the profile %s', async (_, field, answer) => {
    setting.fake.script.set('ada.eth', [answer]);
    expect(await holderOrFault(setting.source, 'ada.eth')).toEqual({
      kind: 'malformed',
      message: expect.stringMatching(new RegExp(`^${field}: `)),
    });
  });

  it.each([
    ['a failing gateway', ccipError, 502],
    ['a failing server', otherError, 500],
    ['an error about reverse records', notOwned, 422],
  ])('throws after %s', async (_, answer, status) => {
    setting.fake.script.set('ada.eth', [answer]);
    expect(await holderOrFault(setting.source, 'ada.eth')).toEqual({ kind: 'http', status, retryAfterMs: null });
  });
});

describe('fetchHolder of enstate for a name that is not found', () => {
  it('returns null if a second request finds the control but not the name', async () => {
    expect(await holderOrFault(setting.source, 'ada.eth')).toBeNull();
    expect(queriesSent()).toEqual([['ada.eth'], ['ada.eth', 'keeper.eth']]);
  });

  it('bypasses the cache of the server in the second request', async () => {
    setting.fake.addName('ada.eth', ada);
    setting.fake.cache.set('ada.eth', notFound);
    expect(await holderOrFault(setting.source, 'ada.eth')).toBe(ada);
    expect(setting.fake.requests.map(({ fresh }) => fresh)).toEqual([false, true]);
  });

  it.each([true, false])('never returns null after a single 404 (fresh: %s)', async (fresh) => {
    setting.fake.addName('ada.eth', ada);
    setting.fake.script.set('ada.eth', [notFound]);
    expect(await holderOrFault(setting.source, 'ada.eth', fresh)).toBe(ada);
  });

  it('throws if the control is not found either', async () => {
    setting.fake.nodeDown = true;
    expect(await holderOrFault(setting.source, 'ada.eth')).toEqual(unproven);
  });

  it('throws if the control returns another name', async () => {
    setting.fake.script.set(control.name, [found('bob.eth', bob)]);
    expect(await holderOrFault(setting.source, 'ada.eth')).toEqual(unproven);
  });

  it.each([
    ['a failing gateway', ccipError, 502],
    ['a failing server', otherError, 500],
    ['an error about reverse records', notOwned, 422],
  ])('throws if the second response is %s', async (_, answer, status) => {
    setting.fake.script.set('ada.eth', [notFound, answer]);
    expect(await holderOrFault(setting.source, 'ada.eth')).toEqual({ kind: 'http', status, retryAfterMs: null });
  });

  it('does not use the name as its own control', async () => {
    setting.fake.removeName(control.name);
    expect(await holderOrFault(setting.source, control.name)).toEqual(unproven);
  });

  it.each(['ada.b1', 'ada.コム', 'Ꭰ.eth'])('throws for a name that enstate does not support: %s', async (name) => {
    expect(await holderOrFault(setting.source, name)).toEqual({
      kind: 'malformed',
      message: 'not found, but enstate does not support such names',
    });
  });

  it('matches results to queries in byte order', async () => {
    setting.fake.addName('😀.eth', bob);
    const source = setting.create({ control: { account: bob, name: '😀.eth' } });
    // Sorts before the control by bytes, and after it by UTF-16 code units.
    expect(await holderOrFault(source, '﨎.eth')).toBeNull();
  });
});
