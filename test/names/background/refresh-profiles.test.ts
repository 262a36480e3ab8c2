import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/protocol/hex.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';
import { anyEngine } from '../../support/engines.ts';
import { loadProfiles } from '../../support/load.ts';
import { ccipError } from '../enstate/fake-enstate.ts';
import { accountOf, NOW } from '../enstate/set-up.ts';
import {
  accounts,
  addNames,
  logged,
  nameOf,
  namesIn,
  queriesOf,
  queue,
  requestCount,
  storeProfiles,
} from './refresh-steps.ts';
import {
  addMembers,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  profilesOf,
  SECOND_MS,
  useRefreshWorlds,
  versionOf,
  wantedOf,
} from './refresh-world.ts';

const [ada, bob, cyd] = accounts(3) as [Address, Address, Address];
/** More than the interval between two writes. */
const WRITTEN_MS = 10 * SECOND_MS;

describe.each(anyEngine)('the refresh of profiles on $name', (engine) => {
  const open = useRefreshWorlds(engine);

  describe('the choice of profiles', () => {
    it('includes members without a profile', async () => {
      const world = await open();
      await addMembers(world.store, [ada, bob]);
      addNames(world, [ada]);
      await world.start().pass(WRITTEN_MS);
      const profiles = await profilesOf(world.store);
      expect([ada, bob].map((account) => profiles.get(account)?.name)).toEqual([nameOf(ada), '']);
    });

    it('includes a stale profile', async () => {
      const world = await open();
      await addMembers(world.store, [ada]);
      await storeProfiles(world.store, [ada], DAY_MS + 1);
      world.enstate.addName('new.eth', ada);
      await world.start().pass(WRITTEN_MS);
      expect((await namesIn(world.store)).get(ada)).toBe('new.eth');
    });

    it('includes a profile as soon as it is stale', async () => {
      const world = await open();
      await addMembers(world.store, [ada]);
      await storeProfiles(world.store, [ada], DAY_MS - MINUTE_MS);
      addNames(world, [ada]);
      const refresh = world.start();
      await refresh.pass(MINUTE_MS);
      expect(requestCount(world, ada)).toBe(0);
      await refresh.pass(5 * SECOND_MS);
      expect(requestCount(world, ada)).toBe(1);
    });

    it('excludes a fresh profile', async () => {
      const world = await open();
      await addMembers(world.store, [ada]);
      await storeProfiles(world.store, [ada], DAY_MS - HOUR_MS);
      await world.start().pass(MINUTE_MS);
      expect(world.enstate.asked).toEqual([]);
    });

    it('is in the order requested accounts, new members, all members', async () => {
      const world = await open();
      const [rest, joined, asked] = [accounts(9, 100), accounts(9, 200), accounts(9, 300)];
      await addMembers(world.store, [...rest, ...joined]);
      await queue(world.store, joined, 'newMember');
      await queue(world.store, asked, 'requested');
      addNames(world, [...rest, ...joined, ...asked]);
      await world.start().pass(WRITTEN_MS);
      expect(queriesOf(world)).toEqual([asked, joined, rest]);
    });

    it('puts a requested account before the rest of the current cycle', async () => {
      const world = await open();
      const members = accounts(90);
      const asked = accountOf(900);
      await addMembers(world.store, members);
      addNames(world, [...members, asked]);
      const refresh = world.start({ requestsPerSecond: 2 });
      await refresh.pass(SECOND_MS / 2);
      await queue(world.store, [asked]);
      await refresh.pass(SECOND_MS);
      expect(queriesOf(world)[1]).toContain(asked);
    });

    it('excludes requested accounts with a fresh profile, and empties the queue', async () => {
      const world = await open();
      await storeProfiles(world.store, [ada], 0);
      await queue(world.store, [ada]);
      await world.start().pass(WRITTEN_MS);
      expect(world.enstate.asked).toEqual([]);
      expect(await wantedOf(world.store)).toEqual([]);
    });

    it('covers a leaderboard of several pages', async () => {
      const world = await open();
      const members = accounts(2_100);
      await addMembers(world.store, members);
      addNames(world, members);
      // 234 calls of nine, one every ten milliseconds.
      await world.start({ requestsPerSecond: 200 }).pass(MINUTE_MS);
      const names = await namesIn(world.store);
      expect(members.filter((account) => names.get(account) !== nameOf(account))).toEqual([]);
    });
  });

  describe('the write', () => {
    it('batches profiles into one transaction', async () => {
      const world = await open();
      const members = accounts(45);
      await addMembers(world.store, members);
      addNames(world, members);
      const before = await versionOf(world.store);
      await world.start().pass(WRITTEN_MS);
      expect((await profilesOf(world.store)).size).toBe(45);
      expect(await versionOf(world.store)).toBe(before + 1);
    });

    it('is skipped if nothing was fetched', async () => {
      const world = await open();
      await addMembers(world.store, [ada]);
      await storeProfiles(world.store, [ada], 0);
      const before = await versionOf(world.store);
      await world.start().pass(MINUTE_MS);
      expect(await versionOf(world.store)).toBe(before);
    });

    it('does not replace a fresher profile that was stored meanwhile', async () => {
      const world = await open();
      await addMembers(world.store, [ada]);
      addNames(world, [ada]);
      const refresh = world.start();
      await refresh.pass(SECOND_MS);
      await loadProfiles(world.store, [{ address: ada, name: 'newer.eth', fresh: NOW + 2 * SECOND_MS }]);
      await refresh.pass(WRITTEN_MS);
      expect(requestCount(world, ada)).toBe(1);
      expect((await namesIn(world.store)).get(ada)).toBe('newer.eth');
    });

    it('removes accounts from the queue, whether their fetch succeeded or not', async () => {
      const world = await open();
      await queue(world.store, [ada, bob], 'requested');
      await queue(world.store, [cyd], 'newMember');
      addNames(world, [ada]);
      world.enstate.script.set(bob, [ccipError]);
      await world.start().pass(WRITTEN_MS);
      expect(await wantedOf(world.store)).toEqual([]);
    });
  });

  describe('the refresh', () => {
    it('stops when sleep rejects', async () => {
      const world = await open();
      const refresh = world.start();
      await refresh.pass(MINUTE_MS);
      expect(await refresh.stop()).toMatchObject({ name: 'AbortError' });
    });

    it('stops while the source hangs, without logging an outage', async () => {
      const world = await open();
      await addMembers(world.store, accounts(90));
      world.isSlow = true;
      world.enstate.faultOf = () => () => undefined;
      const refresh = world.start();
      await refresh.pass(SECOND_MS / 2);
      expect(world.maxConcurrent()).toBeGreaterThan(3);
      expect(await refresh.stop()).toMatchObject({ name: 'AbortError' });
      expect(logged(world, 'warn')).toEqual([]);
    });

    it('rejects with the error of a failed write', async () => {
      const world = await open();
      await addMembers(world.store, [ada]);
      const lost = new StoreUnavailableError('lost');
      const refresh = world.start({ write: () => Promise.reject(lost) });
      await expect(refresh.pass(WRITTEN_MS)).rejects.toBe(lost);
    });

    it('rejects with the error of a failed read', async () => {
      const world = await open();
      const lost = new StoreUnavailableError('lost');
      const prepare = () => () => Promise.reject(lost);
      const refresh = world.start({ reader: { ...world.store.reader, prepare } });
      await expect(refresh.pass(SECOND_MS)).rejects.toBe(lost);
    });
  });
});
