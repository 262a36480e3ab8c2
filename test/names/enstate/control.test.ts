import { describe, expect, it } from 'vitest';
import { ada, bob, holderOrFault, keeper, NOW, nameless, profileOrFault, setUp } from './set-up.ts';

const setting = setUp();
const queriesSent = () => setting.fake.requests.map(({ queries }) => queries);

describe('the control for accounts', () => {
  it('is the account that the server found most recently', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    await setting.source.fetchProfiles([ada], { fresh: false });
    expect(queriesSent()).toEqual([[bob], [ada], [ada, bob]]);
  });

  it('may be an account of the same batch of queries', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([ada, bob], { fresh: false });
    expect(queriesSent()).toEqual([
      [ada, bob],
      [ada, bob],
    ]);
  });

  it('falls back to the default if that account has lost its name', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    setting.fake.removeName('bob.eth');
    expect(await profileOrFault(setting.source, ada)).toEqual(nameless(NOW));
    expect(queriesSent().slice(2)).toEqual([
      [ada, bob],
      [ada, keeper],
    ]);
  });

  it('is never one of the unconfirmed accounts', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    setting.fake.removeName('bob.eth');
    expect(await profileOrFault(setting.source, bob)).toEqual(nameless(NOW));
    expect(queriesSent().slice(1)).toEqual([[bob], [bob, keeper]]);
  });

  it('is never an account whose name is not normalised', async () => {
    setting.fake.addName('Bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    await setting.source.fetchProfiles([ada], { fresh: false });
    expect(queriesSent()).toEqual([[bob], [ada], [ada, keeper]]);
  });

  it('is by default an account known to have a name', async () => {
    await setting.create({ control: undefined }).fetchProfiles([ada], { fresh: false });
    expect(queriesSent()[1]).toEqual([ada, '0xd8da6bf26964af9d7eed9e03e53415d37aa96045']);
  });
});

describe('the control for names', () => {
  it('is the name that the server found most recently', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchHolder('bob.eth', { fresh: false });
    await setting.source.fetchHolder('ada.eth', { fresh: false });
    expect(queriesSent()).toEqual([['bob.eth'], ['ada.eth'], ['ada.eth', 'bob.eth']]);
  });

  it('is the name of the account that the server found most recently', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    await setting.source.fetchHolder('ada.eth', { fresh: false });
    expect(queriesSent()).toEqual([[bob], ['ada.eth'], ['ada.eth', 'bob.eth']]);
  });

  it('falls back to the default if that name is gone', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchHolder('bob.eth', { fresh: false });
    setting.fake.removeName('bob.eth');
    expect(await holderOrFault(setting.source, 'ada.eth')).toBeNull();
    expect(queriesSent().slice(2)).toEqual([
      ['ada.eth', 'bob.eth'],
      ['ada.eth', 'keeper.eth'],
    ]);
  });

  it('is never a name that resolves to null', async () => {
    setting.fake.addProfile('empty.eth', {});
    await setting.source.fetchHolder('empty.eth', { fresh: false });
    await setting.source.fetchHolder('ada.eth', { fresh: false });
    expect(queriesSent()).toEqual([['empty.eth'], ['ada.eth'], ['ada.eth', 'keeper.eth']]);
  });

  it('is not used as a control for accounts', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchHolder('bob.eth', { fresh: false });
    await setting.source.fetchProfiles([ada], { fresh: false });
    expect(queriesSent()).toEqual([['bob.eth'], [ada], [ada, keeper]]);
  });

  it('is by default a name known to resolve', async () => {
    await holderOrFault(setting.create({ control: undefined }), 'ada.eth');
    expect(queriesSent()[1]).toEqual(['ada.eth', 'vitalik.eth']);
  });
});
