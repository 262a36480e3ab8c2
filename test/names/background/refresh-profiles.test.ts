import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/protocol/hex.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';
import { anyEngine } from '../../support/engines.ts';
import { loadProfiles, versionOf } from '../../support/load.ts';
import { accountOf, NOW } from '../accounts.ts';
import {
  addMembers,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  profilesOf,
  queuedProfiles,
  SECOND_MS,
  useRefreshSetup,
} from './refresh-setup.ts';
import { accounts, addNames, fetchCount, logged, nameOf, namesIn, queue, storeProfiles } from './refresh-steps.ts';

const [ada, bob, cyd] = accounts(3) as [Address, Address, Address];
/** More than the interval between two writes. */
const WRITTEN_MS = 10 * SECOND_MS;

describe.each(anyEngine)('the refresh of profiles on $name', (engine) => {
  const open = useRefreshSetup(engine);

  describe('the choice of profiles', () => {
    it('includes members without a profile', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada, bob]);
      addNames(setup, [ada]);
      await setup.start().pass(WRITTEN_MS);
      const profiles = await profilesOf(setup.store);
      expect([ada, bob].map((account) => profiles.get(account)?.name)).toEqual([nameOf(ada), '']);
    });

    it('includes a stale profile', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada]);
      await storeProfiles(setup.store, [ada], DAY_MS + 1);
      setup.node.addName('new.eth', ada);
      await setup.start().pass(WRITTEN_MS);
      expect((await namesIn(setup.store)).get(ada)).toBe('new.eth');
    });

    it('includes a profile as soon as it is stale', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada]);
      await storeProfiles(setup.store, [ada], DAY_MS - MINUTE_MS - 1);
      addNames(setup, [ada]);
      const refresh = setup.start();
      await refresh.pass(MINUTE_MS);
      expect(fetchCount(setup, ada)).toBe(0);
      await refresh.pass(5 * SECOND_MS);
      expect(fetchCount(setup, ada)).toBe(1);
    });

    it('includes a profile of a clock that was days ahead, and replaces it', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada]);
      await storeProfiles(setup.store, [ada], -2 * DAY_MS);
      setup.node.addName('new.eth', ada);
      await setup.start().pass(10 * WRITTEN_MS);
      expect((await namesIn(setup.store)).get(ada)).toBe('new.eth');
      expect(fetchCount(setup, ada)).toBe(1);
    });

    it('excludes a fresh profile', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada]);
      await storeProfiles(setup.store, [ada], DAY_MS - HOUR_MS);
      await setup.start().pass(MINUTE_MS);
      expect(setup.fetched).toEqual([]);
    });

    it('is in the order requested accounts, new members, all members', async () => {
      const setup = await open();
      const [rest, joined, requested] = [accounts(9, 100), accounts(9, 200), accounts(9, 300)];
      await addMembers(setup.store, [...rest, ...joined]);
      await queue(setup.store, joined, 'newMember');
      await queue(setup.store, requested, 'requested');
      addNames(setup, [...rest, ...joined, ...requested]);
      await setup.start().pass(WRITTEN_MS);
      expect(setup.fetched).toEqual([...requested, ...joined, ...rest]);
    });

    it('puts a requested account before the rest of the current cycle, after the attempts of five seconds', async () => {
      const setup = await open();
      const members = accounts(90);
      const requested = accountOf(900);
      await addMembers(setup.store, members);
      addNames(setup, [...members, requested]);
      const refresh = setup.start({ requestsPerSecond: 2 });
      await refresh.pass(SECOND_MS / 2);
      await queue(setup.store, [requested]);
      await refresh.pass(WRITTEN_MS);
      expect(setup.fetched[5]).toBe(requested);
    });

    it('excludes requested accounts with a fresh profile, and empties the queue', async () => {
      const setup = await open();
      await storeProfiles(setup.store, [ada], 0);
      await queue(setup.store, [ada]);
      await setup.start().pass(WRITTEN_MS);
      expect(setup.fetched).toEqual([]);
      expect(await queuedProfiles(setup.store)).toEqual([]);
    });

    it('covers a leaderboard of several pages', async () => {
      const setup = await open();
      const members = accounts(1_100);
      await addMembers(setup.store, members);
      // One call every ten milliseconds.
      await setup.start({ requestsPerSecond: 200 }).pass(MINUTE_MS);
      expect([...(await namesIn(setup.store)).keys()].sort()).toEqual(members);
    });
  });

  describe('the write', () => {
    it('batches profiles into one transaction', async () => {
      const setup = await open();
      const members = accounts(45);
      await addMembers(setup.store, members);
      addNames(setup, members);
      const before = await versionOf(setup.store);
      await setup.start().pass(WRITTEN_MS);
      expect((await profilesOf(setup.store)).size).toBe(45);
      expect(await versionOf(setup.store)).toBe(before + 1);
    });

    it('is skipped if nothing was fetched', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada]);
      await storeProfiles(setup.store, [ada], 0);
      const before = await versionOf(setup.store);
      await setup.start().pass(MINUTE_MS);
      expect(await versionOf(setup.store)).toBe(before);
    });

    it('does not replace a fresher profile that was stored meanwhile', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada]);
      addNames(setup, [ada]);
      const refresh = setup.start();
      await refresh.pass(SECOND_MS);
      await loadProfiles(setup.store, [{ address: ada, name: 'newer.eth', fresh: NOW + 2 * SECOND_MS }]);
      await refresh.pass(WRITTEN_MS);
      expect(fetchCount(setup, ada)).toBe(1);
      expect((await namesIn(setup.store)).get(ada)).toBe('newer.eth');
    });

    it('removes accounts from the queue, whether their fetch succeeded or not', async () => {
      const setup = await open();
      await queue(setup.store, [ada, bob], 'requested');
      await queue(setup.store, [cyd], 'newMember');
      addNames(setup, [ada]);
      setup.node.faultOf = ({ query }) => (query === bob ? 'revert' : undefined);
      await setup.start().pass(WRITTEN_MS);
      expect(await queuedProfiles(setup.store)).toEqual([]);
    });
  });

  describe('the refresh', () => {
    it('stops when sleep rejects', async () => {
      const setup = await open();
      const refresh = setup.start();
      await refresh.pass(MINUTE_MS);
      expect(await refresh.stop()).toMatchObject({ name: 'AbortError' });
    });

    it('stops while the source hangs, without logging an outage', async () => {
      const setup = await open();
      await addMembers(setup.store, accounts(90));
      setup.isSlow = true;
      setup.node.faultOf = () => 'hang';
      const refresh = setup.start();
      await refresh.pass(SECOND_MS / 2);
      expect(setup.maxConcurrent()).toBeGreaterThan(3);
      expect(await refresh.stop()).toMatchObject({ name: 'AbortError' });
      expect(logged(setup, 'warn')).toEqual([]);
    });

    it('rejects with the error of a failed write', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada]);
      const lost = new StoreUnavailableError('lost');
      const refresh = setup.start({ write: () => Promise.reject(lost) });
      await expect(refresh.pass(WRITTEN_MS)).rejects.toBe(lost);
    });

    it('rejects with the error of a failed read', async () => {
      const setup = await open();
      const lost = new StoreUnavailableError('lost');
      const refresh = setup.start({ reader: { ...setup.store.reader, all: () => Promise.reject(lost) } });
      await expect(refresh.pass(SECOND_MS)).rejects.toBe(lost);
    });
  });
});
