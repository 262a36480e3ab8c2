import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { parseProfile } from '../../src/names/profile.ts';
import { writeProfiles } from '../../src/names/write-profiles.ts';
import type { Store } from '../../src/store/store.ts';
import {
  accountMetadata,
  type LogBody,
  listMetadata,
  locationBytes,
  storageLocation,
  transfer,
  word,
} from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { ANN, BOB, DAN, follow, logsOf, slotOf } from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks, versionOf } from '../support/load.ts';
import { accountOf, NOW } from './accounts.ts';
import { avatarAt, ensOf, entriesOf, fetched, loadGraph, namesOf, write } from './fetched-profiles.ts';

/** A list of the account, which follows DAN. */
const followerOfDan = (account: Hex, list: bigint): LogBody[] => {
  const slot = slotOf(list + 1n);
  return [
    transfer(ZERO_ADDRESS, account, list),
    storageLocation(list, locationBytes(slot)),
    listMetadata(slot, 'user', account),
    accountMetadata(account, 'primary-list', word(list)),
    follow(slot, DAN),
  ];
};

describe.each(engines)('fetched profiles on $name', (engine) => {
  const own = useOwnDatabase(engine);

  async function openGraph(): Promise<Store> {
    const store = await own.open();
    await loadGraph(store);
    return store;
  }

  describe('writeFetched for an account with a stored profile', () => {
    it('stores a fresher profile', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('old.eth')]);
      await write(store, [ANN, fetched('new.eth', { fresh: NOW + 1 })]);
      expect(await namesOf(store)).toEqual({ [ANN]: 'new.eth' });
    });

    it.each(['old.eth', ''])('does not store an older profile with the name %j', async (name) => {
      const store = await own.open();
      await write(store, [ANN, fetched('new.eth')]);
      await write(store, [ANN, fetched(name, { fresh: NOW - 1 })]);
      expect(await namesOf(store)).toEqual({ [ANN]: 'new.eth' });
    });

    it('keeps the data version for an older profile', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('new.eth')]);
      const version = await versionOf(store);
      await write(store, [ANN, fetched('old.eth', { fresh: NOW - 1 })]);
      expect(await versionOf(store)).toBe(version);
    });

    it('keeps the data version for an identical profile', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('ann.eth')]);
      const version = await versionOf(store);
      await write(store, [ANN, fetched('ann.eth')]);
      expect(await versionOf(store)).toBe(version);
    });

    it('raises the data version if only the time is newer, because it is in the response', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('ann.eth')]);
      const version = await versionOf(store);
      await write(store, [ANN, fetched('ann.eth', { fresh: NOW + 1 })]);
      expect(await versionOf(store)).toBe(version + 1);
      expect((await ensOf(store, ANN)).fresh).toBe(NOW + 1);
    });

    it('stores the fresher profiles of a batch that also has older ones', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('ann.eth')], [BOB, fetched('bob.eth')]);
      await write(store, [ANN, fetched('old.eth', { fresh: NOW - 1 })], [BOB, fetched('new.eth', { fresh: NOW + 1 })]);
      expect(await namesOf(store)).toEqual({ [ANN]: 'ann.eth', [BOB]: 'new.eth' });
    });
  });

  it.each([
    ['first', [NOW + 1, NOW]],
    ['last', [NOW, NOW + 1]],
  ])('stores the fresher of two profiles of one account in a batch, if it is the %s one', async (_, times) => {
    const store = await own.open();
    const profiles = times.map((fresh) => parseProfile({ address: ANN, name: `at${fresh - NOW}.eth`, fresh }));
    await store.transaction((tx) => writeProfiles(tx, profiles));
    expect(await namesOf(store)).toEqual({ [ANN]: 'at1.eth' });
  });

  it('raises the data version once for a batch of many accounts', async () => {
    const store = await own.open();
    const version = await versionOf(store);
    const profiles = Array.from({ length: 50 }, (_, i) => [accountOf(i), fetched(`n${i}.eth`)] as const);
    await write(store, ...profiles);
    expect(await versionOf(store)).toBe(version + 1);
  });

  it('keeps the data version for an empty batch', async () => {
    const store = await own.open();
    const version = await versionOf(store);
    await write(store);
    expect(await versionOf(store)).toBe(version);
  });

  describe('rows that contain a name', () => {
    it.each(['notifications', 'leaderboard'] as const)('get the new name and avatar in the %s', async (table) => {
      const store = await openGraph();
      await write(store, [ANN, fetched('ann.eth', avatarAt('https://a.example/a.png'))]);
      expect((await entriesOf(store, table)).get(ANN)).toEqual(['ann.eth', 'https://a.example/a.png']);
    });

    it.each(['notifications', 'leaderboard'] as const)(
      'get a new avatar of an unchanged name in the %s',
      async (table) => {
        const store = await openGraph();
        await write(store, [ANN, fetched('ann.eth')]);
        await write(store, [ANN, fetched('ann.eth', { ...avatarAt('https://a.example/a.png'), fresh: NOW + 1 })]);
        expect((await entriesOf(store, table)).get(ANN)).toEqual(['ann.eth', 'https://a.example/a.png']);
      },
    );

    it.each(['notifications', 'leaderboard'] as const)(
      'lose a removed name and its avatar in the %s',
      async (table) => {
        const store = await openGraph();
        await write(store, [ANN, fetched('ann.eth', avatarAt('https://a.example/a.png'))]);
        await write(store, [ANN, fetched('', { fresh: NOW + 1 })]);
        expect((await entriesOf(store, table)).get(ANN)).toEqual(['', '']);
      },
    );

    it('stay unchanged for other accounts', async () => {
      const store = await openGraph();
      await write(store, [BOB, fetched('bob.eth')]);
      await write(store, [ANN, fetched('ann.eth')]);
      expect((await entriesOf(store, 'leaderboard')).get(BOB)).toEqual(['bob.eth', '']);
    });

    it('get the name in lower case for the leaderboard search', async () => {
      const store = await openGraph();
      await write(store, [ANN, fetched('ann.eth', { display: 'Ann.eth' })]);
      const rows = await store.transaction((tx) => tx.read('leaderboard', ['address'], [[ANN]]));
      expect(rows.map(({ name }) => name)).toEqual(['ann.eth']);
    });

    it('get the names and avatars of a batch of many accounts', async () => {
      const store = await own.open();
      // More than SLOTS_PER_BATCH.
      const accounts = Array.from({ length: 120 }, (_, i) => accountOf(i));
      await loadLogs(store, logsOf(accounts.flatMap((account, i) => followerOfDan(account, BigInt(i)))));
      await loadRanks(store, 0);
      const shown = (i: number) => [`n${i}.eth`, `https://a.example/${i}.png`] as const;
      const profiles = accounts.map((account, i) => {
        const [name, avatar] = shown(i);
        return [account, fetched(name, avatarAt(avatar))] as const;
      });
      await write(store, ...profiles);
      const expected = new Map(accounts.map((account, i) => [account, shown(i)]));
      expect(await entriesOf(store, 'notifications')).toEqual(expected);
      const board = await entriesOf(store, 'leaderboard');
      board.delete(DAN);
      expect(board).toEqual(expected);
    });
  });

  describe('a record that failed', () => {
    const working = {
      records: { avatar: 'https://a.example/a.png', url: 'https://ann.example' },
      chains: { btc: 'bc1' },
    };
    const failed = { 'records.avatar': 'gone', 'records.url': 'gone', 'chains.btc': 'gone' };

    it('keeps its last value, with the error', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('ann.eth', working)]);
      await write(store, [ANN, fetched('ann.eth', { errors: failed, fresh: NOW + 1 })]);
      expect(await ensOf(store, ANN)).toMatchObject({ ...working, avatar: 'https://a.example/a.png', errors: failed });
    });

    it('keeps its last value over several failures', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('ann.eth', working)]);
      for (const later of [1, 2, 3]) {
        await write(store, [ANN, fetched('ann.eth', { errors: failed, fresh: NOW + later })]);
      }
      expect(await ensOf(store, ANN)).toMatchObject({ ...working, errors: failed, fresh: NOW + 3 });
    });

    it('loses its error when it works again', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('ann.eth', { errors: failed })]);
      await write(store, [ANN, fetched('ann.eth', { ...working, fresh: NOW + 1 })]);
      expect(await ensOf(store, ANN)).toMatchObject({ ...working, errors: {} });
    });

    it('loses its value and its error when it was unset', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('ann.eth', working)]);
      await write(store, [ANN, fetched('ann.eth', { errors: failed, fresh: NOW + 1 })]);
      await write(store, [ANN, fetched('ann.eth', { fresh: NOW + 2 })]);
      expect(await ensOf(store, ANN)).toMatchObject({ avatar: '', records: { avatar: '' }, chains: {}, errors: {} });
    });

    it('keeps no value of another name', async () => {
      const store = await own.open();
      await write(store, [ANN, fetched('ann.eth', working)]);
      await write(store, [ANN, fetched('new.eth', { errors: failed, fresh: NOW + 1 })]);
      expect(await ensOf(store, ANN)).toMatchObject({ avatar: '', records: { avatar: '' }, errors: failed });
    });

    it('keeps its avatar in the notifications', async () => {
      const store = await openGraph();
      await write(store, [ANN, fetched('ann.eth', working)]);
      await write(store, [ANN, fetched('ann.eth', { errors: failed, fresh: NOW + 1 })]);
      expect((await entriesOf(store, 'notifications')).get(ANN)).toEqual(['ann.eth', 'https://a.example/a.png']);
    });
  });
});
