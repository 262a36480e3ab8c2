import { describe, expect, it } from 'vitest';
import { DueProfiles } from '../../../src/names/background/due-profiles.ts';
import { PRIORITIES, queueProfiles } from '../../../src/names/background/profile-queue.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import type { Store } from '../../../src/store/store.ts';
import { useOwnDatabase } from '../../store/own-database.ts';
import { engines } from '../../support/engines.ts';
import { loadProfiles } from '../../support/load.ts';
import { accountOf, NOW } from '../enstate/set-up.ts';
import { addMembers, DAY_MS, HOUR_MS } from './refresh-world.ts';

const accounts = (count: number, first = 0) => Array.from({ length: count }, (_, index) => accountOf(first + index));
const [a, b, c, d] = accounts(4) as [Address, Address, Address, Address];

describe.each(engines)('whose profile is fetched next, on $name', (engine) => {
  const own = useOwnDatabase(engine);

  async function open(members: readonly Address[] = []) {
    const store = await own.open();
    await addMembers(store, members);
    const clock = { now: NOW };
    const due = new DueProfiles({ reader: store.reader, maxAgeMs: DAY_MS, now: () => clock.now });
    const take = async (limit = 10) => (await due.take(limit)).due.map(({ address }) => address);
    return { store, clock, due, take };
  }
  const want = (store: Store, addresses: readonly Address[], turn: keyof typeof PRIORITIES = 'requested') =>
    store.transaction((tx) => queueProfiles(tx, addresses, PRIORITIES[turn]));
  const hold = (store: Store, address: Address, age: number) =>
    loadProfiles(store, [{ address, name: 'held.eth', fresh: NOW - age }]);

  it('is nobody where nobody is known', async () => {
    const { due } = await open();
    expect(await due.take(10)).toEqual({ due: [], upToDate: [] });
  });

  it('is a member without a profile', async () => {
    const { due } = await open([a]);
    expect(await due.take(10)).toEqual({ due: [{ address: a, fresh: null, name: null }], upToDate: [] });
  });

  it('is a member whose profile is too old, told with the name that it has', async () => {
    const { store, due } = await open([a]);
    await hold(store, a, DAY_MS + 1);
    expect((await due.take(10)).due).toEqual([{ address: a, fresh: NOW - DAY_MS - 1, name: 'held.eth' }]);
  });

  it('is no member whose profile is fresh', async () => {
    const { store, take } = await open([a]);
    await hold(store, a, DAY_MS);
    expect(await take()).toEqual([]);
  });

  it('is that of accounts that are asked for, then of those that joined, then of members', async () => {
    const { store, take } = await open([a, b]);
    await want(store, [c], 'newMember');
    await want(store, [d], 'requested');
    expect(await take()).toEqual([d, c, a, b]);
  });

  it('is that of an account that is asked for before all that have joined, though it has joined itself', async () => {
    const { store, take } = await open();
    await want(store, [a, b], 'newMember');
    await want(store, [b], 'requested');
    expect(await take(1)).toEqual([b]);
  });

  it('is still that of an account that was asked for when it joins as well', async () => {
    const { store, take } = await open();
    await want(store, [b], 'requested');
    await want(store, [a, b], 'newMember');
    expect(await take(1)).toEqual([b]);
  });

  it('is that of an account that is asked for while a round is under way', async () => {
    const { store, take } = await open([a, b, c]);
    await take(1);
    await want(store, [d]);
    expect(await take(1)).toEqual([d]);
  });

  it('is never more than can be taken', async () => {
    const { store, take } = await open([a, b]);
    await want(store, [c, d]);
    expect(await take(3)).toHaveLength(3);
  });

  it('is nobody twice until that is settled', async () => {
    const { store, take } = await open([a, b]);
    await want(store, [a]);
    expect([await take(), await take()]).toEqual([[a, b], []]);
  });

  it('is no member that has been taken, as somebody asked for it, since the members were looked at', async () => {
    const { store, take } = await open([a, b, c]);
    await take(1);
    await want(store, [c]);
    expect([await take(1), await take()]).toEqual([[c], [b]]);
  });

  it('is no member that has been settled since the members were looked at', async () => {
    const { store, due, take } = await open([a, b, c]);
    await take(1);
    await want(store, [c]);
    await take(1);
    await hold(store, c, 0);
    due.release([c]);
    expect(await take()).toEqual([b]);
  });

  it('is that of the same account again when it is settled and still due', async () => {
    const { due, take } = await open([a]);
    await take();
    due.release([a]);
    expect(await take()).toEqual([a]);
  });

  it('is not needed by an account that is asked for and has a fresh profile', async () => {
    const { store, due } = await open();
    await hold(store, a, 1);
    await want(store, [a]);
    expect(await due.take(10)).toEqual({ due: [], upToDate: [a] });
  });

  it('is told once not to be needed until that is settled', async () => {
    const { store, due } = await open();
    await hold(store, a, 1);
    await want(store, [a]);
    await due.take(10);
    expect((await due.take(10)).upToDate).toEqual([]);
  });

  it('does not wait behind accounts that need none', async () => {
    const { store, due } = await open();
    for (const account of [a, b, c]) await hold(store, account, 1);
    await want(store, [a, b, c, d]);
    const taken: Address[] = [];
    for (let turn = 0; turn < 4; turn++) taken.push(...(await due.take(1)).due.map(({ address }) => address));
    expect(taken).toEqual([d]);
  });

  it('does not wait behind accounts that are being fetched', async () => {
    const { store, take } = await open();
    await want(store, accounts(30));
    await take(20);
    expect(await take(10)).toEqual(accounts(10, 20));
  });

  describe('when it has been postponed', () => {
    it('is not that of the account before its time, though it has no profile', async () => {
      const { clock, due, take } = await open([a]);
      due.postpone(a, NOW + HOUR_MS);
      clock.now += HOUR_MS - 1;
      expect(await take()).toEqual([]);
    });

    it('is that of the account from then on, though its profile is fresh', async () => {
      const { store, clock, due, take } = await open([a]);
      await hold(store, a, 0);
      due.postpone(a, NOW + HOUR_MS);
      clock.now += HOUR_MS;
      expect(await take()).toEqual([a]);
    });

    it('is not needed by the account before its time, though it is asked for', async () => {
      const { store, due } = await open();
      await want(store, [a]);
      due.postpone(a, NOW + HOUR_MS);
      expect(await due.take(10)).toEqual({ due: [], upToDate: [a] });
    });

    it('goes by the age of the profile again once it was taken', async () => {
      const { store, clock, due, take } = await open([a]);
      await hold(store, a, 0);
      due.postpone(a, NOW + HOUR_MS);
      clock.now += HOUR_MS;
      await take();
      due.release([a]);
      expect(await take()).toEqual([]);
    });
  });

  describe('on a leaderboard that is not looked at in one go', () => {
    it.each([2_000, 2_500])('is everybody once in a round of %i', async (count) => {
      const members = accounts(count);
      const { due, take } = await open(members);
      const seen: Address[] = [];
      while (seen.length < count) {
        const taken = await take(90);
        due.release(taken);
        seen.push(...taken);
      }
      expect(seen).toEqual(members);
    });

    it('is the first of them again after the last', async () => {
      const members = accounts(1_500);
      const { due, take } = await open(members);
      for (let left = members.length; left > 0; ) {
        const taken = await take(500);
        due.release(taken);
        left -= taken.length;
      }
      expect(await take(1)).toEqual(members.slice(0, 1));
    });

    it('is found though all that come before it are fresh', async () => {
      const members = accounts(2_001);
      const { store, take } = await open(members);
      const fresh = members.slice(0, -1).map((address) => ({ address, name: 'held.eth', fresh: NOW }));
      await loadProfiles(store, fresh);
      const looks = [await take(), await take(), await take()];
      expect(looks.flat()).toEqual(members.slice(-1));
    });
  });
});
