import { describe, expect, it } from 'vitest';
import { DueProfiles, PRIORITIES, queueProfiles } from '../../../src/names/background/profile-queue.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import type { Store } from '../../../src/store/store.ts';
import { useOwnDatabase } from '../../store/own-database.ts';
import { anyEngine } from '../../support/engines.ts';
import { loadProfiles } from '../../support/load.ts';
import { accountOf, NOW } from '../accounts.ts';
import { addMembers, DAY_MS, HOUR_MS } from './refresh-setup.ts';

const accounts = (count: number, first = 0) => Array.from({ length: count }, (_, index) => accountOf(first + index));
const [a, b, c, d] = accounts(4) as [Address, Address, Address, Address];
const never = { fresh: null, name: null, attempts: null, isOpen: null, retryAt: null };

describe.each(anyEngine)('DueProfiles on $name', (engine) => {
  const own = useOwnDatabase(engine);

  async function open(members: readonly Address[] = []) {
    const store = await own.open();
    await addMembers(store, members);
    const clock = { now: NOW };
    const due = new DueProfiles({
      reader: store.reader,
      maxAgeMs: DAY_MS,
      now: () => clock.now,
      monotonic: () => clock.now,
    });
    const take = async (limit = 10) => (await due.take(limit)).due.map(({ address }) => address);
    return { store, clock, due, take };
  }
  const queue = (store: Store, addresses: readonly Address[], priority: keyof typeof PRIORITIES = 'requested') =>
    store.transaction((tx) => queueProfiles(tx, addresses, PRIORITIES[priority]));
  const postpone = (store: Store, address: Address, until: number, isOpen: 0 | 1 = 0) =>
    store.transaction((tx) =>
      tx.upsert('profile_attempts', [{ address, attempts: 1, is_open: isOpen, retry_at: until }]),
    );
  const storeProfile = (store: Store, address: Address, age: number) =>
    loadProfiles(store, [{ address, name: 'held.eth', fresh: NOW - age }]);

  it('takes nothing from an empty database', async () => {
    const { due } = await open();
    expect(await due.take(10)).toEqual({ due: [], upToDate: [] });
  });

  it('takes a leaderboard member without a profile', async () => {
    const { due } = await open([a]);
    expect(await due.take(10)).toEqual({ due: [{ ...never, address: a }], upToDate: [] });
  });

  it('takes a member with a stale profile, with its stored name', async () => {
    const { store, due } = await open([a]);
    await storeProfile(store, a, DAY_MS + 1);
    expect((await due.take(10)).due).toEqual([{ ...never, address: a, fresh: NOW - DAY_MS - 1, name: 'held.eth' }]);
  });

  it('does not take a member with a fresh profile', async () => {
    const { store, take } = await open([a]);
    await storeProfile(store, a, DAY_MS - 1);
    expect(await take()).toEqual([]);
  });

  it('takes a profile of the future as one of now, unless that is farther away than its maximum age', async () => {
    const { store, take } = await open([a, b]);
    await storeProfile(store, a, -DAY_MS + 1);
    await storeProfile(store, b, -DAY_MS);
    expect(await take()).toEqual([b]);
  });

  it('takes requested accounts first, then new members, then all members', async () => {
    const { store, take } = await open([a, b]);
    await queue(store, [c], 'newMember');
    await queue(store, [d], 'requested');
    expect(await take()).toEqual([d, c, a, b]);
  });

  it('raises the priority of a queued new member that is requested', async () => {
    const { store, take } = await open();
    await queue(store, [a, b], 'newMember');
    await queue(store, [b], 'requested');
    expect(await take(1)).toEqual([b]);
  });

  it('keeps the priority of a requested account that becomes a member', async () => {
    const { store, take } = await open();
    await queue(store, [b], 'requested');
    await queue(store, [a, b], 'newMember');
    expect(await take(1)).toEqual([b]);
  });

  it('takes an account that is queued during a cycle over the members', async () => {
    const { store, take } = await open([a, b, c]);
    await take(1);
    await queue(store, [d]);
    expect(await take(1)).toEqual([d]);
  });

  it('takes no more than the limit', async () => {
    const { store, take } = await open([a, b]);
    await queue(store, [c, d]);
    expect(await take(3)).toHaveLength(3);
  });

  it('does not take an account again before it is released', async () => {
    const { store, take } = await open([a, b]);
    await queue(store, [a]);
    expect([await take(), await take()]).toEqual([[a, b], []]);
  });

  it('skips a member that was taken from the queue since the page was read', async () => {
    const { store, take } = await open([a, b, c]);
    await take(1);
    await queue(store, [c]);
    expect([await take(1), await take()]).toEqual([[c], [b]]);
  });

  it('skips a member that was refreshed since the page was read', async () => {
    const { store, due, take } = await open([a, b, c]);
    await take(1);
    await queue(store, [c]);
    await take(1);
    await storeProfile(store, c, 0);
    due.release([c]);
    expect(await take()).toEqual([b]);
  });

  it('takes a released account again if it is still due', async () => {
    const { due, take } = await open([a]);
    await take();
    due.release([a]);
    expect(await take()).toEqual([a]);
  });

  it('reports a queued account with a fresh profile as up to date', async () => {
    const { store, due } = await open();
    await storeProfile(store, a, 1);
    await queue(store, [a]);
    expect(await due.take(10)).toEqual({ due: [], upToDate: [a] });
  });

  it('reports an up-to-date account once until it is released', async () => {
    const { store, due } = await open();
    await storeProfile(store, a, 1);
    await queue(store, [a]);
    await due.take(10);
    expect((await due.take(10)).upToDate).toEqual([]);
  });

  it('takes a due account that is queued behind up-to-date ones', async () => {
    const { store, due } = await open();
    for (const account of [a, b, c]) await storeProfile(store, account, 1);
    await queue(store, [a, b, c, d]);
    const taken: Address[] = [];
    for (let round = 0; round < 4; round++) taken.push(...(await due.take(1)).due.map(({ address }) => address));
    expect(taken).toEqual([d]);
  });

  it('takes accounts that are queued behind taken ones', async () => {
    const { store, take } = await open();
    await queue(store, accounts(30));
    await take(20);
    expect(await take(10)).toEqual(accounts(10, 20));
  });

  describe('a postponed account', () => {
    it('is not due before the given time, even without a profile', async () => {
      const { store, clock, take } = await open([a]);
      await postpone(store, a, NOW + HOUR_MS);
      clock.now += HOUR_MS - 1;
      expect(await take()).toEqual([]);
    });

    it('is due from the given time on, even with a fresh profile', async () => {
      const { store, clock, take } = await open([a]);
      await storeProfile(store, a, 0);
      await postpone(store, a, NOW + HOUR_MS);
      clock.now += HOUR_MS;
      expect(await take()).toEqual([a]);
    });

    it('is up to date before the given time, even if it is queued', async () => {
      const { store, due } = await open();
      await queue(store, [a]);
      await postpone(store, a, NOW + HOUR_MS);
      expect(await due.take(10)).toEqual({ due: [], upToDate: [a] });
    });

    it('stays in the queue if its attempt did not end, and hides none behind it', async () => {
      const { store, due } = await open();
      await queue(store, [a, b, c]);
      for (const account of [a, b]) await postpone(store, account, NOW + HOUR_MS, 1);
      expect(await due.take(1)).toEqual({ due: [{ ...never, address: c }], upToDate: [] });
    });
  });

  describe('a leaderboard of several pages', () => {
    it.each([2_000, 2_500])('returns each of %i members once per cycle', async (count) => {
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

    it('starts over after the last member', async () => {
      const members = accounts(1_500);
      const { due, take } = await open(members);
      for (let left = members.length; left > 0; ) {
        const taken = await take(500);
        due.release(taken);
        left -= taken.length;
      }
      expect(await take(1)).toEqual(members.slice(0, 1));
    });

    it('finds a due member behind pages of fresh ones', async () => {
      const members = accounts(2_001);
      const { store, take } = await open(members);
      const fresh = members.slice(0, -1).map((address) => ({ address, name: 'held.eth', fresh: NOW }));
      await loadProfiles(store, fresh);
      const batches = [await take(), await take(), await take()];
      expect(batches.flat()).toEqual(members.slice(-1));
    });
  });
});
