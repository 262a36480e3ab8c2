import { describe, expect, it } from 'vitest';
import { ada, bob, holderOrFault, keeper, NOW, nameless, profileOrFault, setUp } from './set-up.ts';

const setting = setUp();
const askedFor = () => setting.fake.asked.map(({ queries }) => queries);

describe('the control of accounts', () => {
  it('is the account that the server found last', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    await setting.source.fetchProfiles([ada], { fresh: false });
    expect(askedFor()).toEqual([[bob], [ada], [ada, bob]]);
  });

  it('may be an account of the same batch', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([ada, bob], { fresh: false });
    expect(askedFor()).toEqual([
      [ada, bob],
      [ada, bob],
    ]);
  });

  it('is the one that is given again when that account has lost its name', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    setting.fake.removeName('bob.eth');
    expect(await profileOrFault(setting.source, ada)).toEqual(nameless(NOW));
    expect(askedFor().slice(2)).toEqual([
      [ada, bob],
      [ada, keeper],
    ]);
  });

  it('is never an account that is itself in doubt', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    setting.fake.removeName('bob.eth');
    expect(await profileOrFault(setting.source, bob)).toEqual(nameless(NOW));
    expect(askedFor().slice(1)).toEqual([[bob], [bob, keeper]]);
  });

  it('is never an account whose name is not normal', async () => {
    setting.fake.addName('Bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    await setting.source.fetchProfiles([ada], { fresh: false });
    expect(askedFor()).toEqual([[bob], [ada], [ada, keeper]]);
  });

  it('is an account that is known to have a name when none is given', async () => {
    await setting.create({ control: undefined }).fetchProfiles([ada], { fresh: false });
    expect(askedFor()[1]).toEqual([ada, '0xd8da6bf26964af9d7eed9e03e53415d37aa96045']);
  });
});

describe('the control of names', () => {
  it('is the name that the server found last', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchHolder('bob.eth', { fresh: false });
    await setting.source.fetchHolder('ada.eth', { fresh: false });
    expect(askedFor()).toEqual([['bob.eth'], ['ada.eth'], ['ada.eth', 'bob.eth']]);
  });

  it('is the name of the account that the server found last', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchProfiles([bob], { fresh: false });
    await setting.source.fetchHolder('ada.eth', { fresh: false });
    expect(askedFor()).toEqual([[bob], ['ada.eth'], ['ada.eth', 'bob.eth']]);
  });

  it('is the one that is given again when that name is gone', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchHolder('bob.eth', { fresh: false });
    setting.fake.removeName('bob.eth');
    expect(await holderOrFault(setting.source, 'ada.eth')).toBeNull();
    expect(askedFor().slice(2)).toEqual([
      ['ada.eth', 'bob.eth'],
      ['ada.eth', 'keeper.eth'],
    ]);
  });

  it('is never a name that leads nowhere', async () => {
    setting.fake.addProfile('empty.eth', {});
    await setting.source.fetchHolder('empty.eth', { fresh: false });
    await setting.source.fetchHolder('ada.eth', { fresh: false });
    expect(askedFor()).toEqual([['empty.eth'], ['ada.eth'], ['ada.eth', 'keeper.eth']]);
  });

  it('is no control of accounts', async () => {
    setting.fake.addName('bob.eth', bob);
    await setting.source.fetchHolder('bob.eth', { fresh: false });
    await setting.source.fetchProfiles([ada], { fresh: false });
    expect(askedFor()).toEqual([['bob.eth'], [ada], [ada, keeper]]);
  });

  it('is a name that is known to lead to an account when none is given', async () => {
    await holderOrFault(setting.create({ control: undefined }), 'ada.eth');
    expect(askedFor()[1]).toEqual(['ada.eth', 'vitalik.eth']);
  });
});
