import { describe, expect, it } from 'vitest';
import { ANN, BOB, DAN } from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { versionOf } from '../support/load.ts';
import { NOW } from './accounts.ts';
import { avatarAt, ensOf, entriesOf, fetched, loadGraph, namesOf, write } from './fetched-profiles.ts';

describe.each(engines)('two profiles with one name on $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('leave the name to the account that was fetched last', async () => {
    const store = await own.open();
    await loadGraph(store);
    await write(store, [ANN, fetched('moved.eth', avatarAt('https://a.example/a.png'))]);
    await write(store, [BOB, fetched('moved.eth', { fresh: NOW + 1 })]);
    expect(await namesOf(store)).toEqual({ [ANN]: '', [BOB]: 'moved.eth' });
    expect(await ensOf(store, ANN)).toMatchObject({ name: '', avatar: '', fresh: NOW });
    expect((await entriesOf(store, 'leaderboard')).get(ANN)).toEqual(['', '']);
    expect((await entriesOf(store, 'notifications')).get(ANN)).toEqual(['', '']);
  });

  it('leave the name to its holder if an older answer arrives later', async () => {
    const store = await own.open();
    await write(store, [BOB, fetched('moved.eth', { fresh: NOW + 1 })]);
    await write(store, [ANN, fetched('moved.eth')]);
    expect(await namesOf(store)).toEqual({ [ANN]: '', [BOB]: 'moved.eth' });
  });

  it('leave the name to one of them if they are written together', async () => {
    const store = await own.open();
    await write(store, [ANN, fetched('moved.eth', { fresh: NOW + 1 })], [BOB, fetched('moved.eth')]);
    expect(await namesOf(store)).toEqual({ [ANN]: 'moved.eth', [BOB]: '' });
  });

  it('keep the data version if the older one is written again', async () => {
    const store = await own.open();
    await write(store, [BOB, fetched('moved.eth', { fresh: NOW + 1 })]);
    await write(store, [ANN, fetched('moved.eth')]);
    const version = await versionOf(store);
    await write(store, [ANN, fetched('moved.eth')]);
    expect(await versionOf(store)).toBe(version);
  });

  it('do not affect other names', async () => {
    const store = await own.open();
    await write(store, [ANN, fetched('ann.eth')], [DAN, fetched('')]);
    await write(store, [BOB, fetched('bob.eth', { fresh: NOW + 1 })]);
    expect(await namesOf(store)).toEqual({ [ANN]: 'ann.eth', [BOB]: 'bob.eth', [DAN]: '' });
  });
});
