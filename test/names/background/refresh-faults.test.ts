import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/protocol/hex.ts';
import { anyEngine } from '../../support/engines.ts';
import { NOW } from '../accounts.ts';
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
import {
  accounts,
  addNames,
  failAll,
  fetchCount,
  logged,
  nameOf,
  namesIn,
  queue,
  storeProfiles,
} from './refresh-steps.ts';

const [ada, bob] = accounts(2) as [Address, Address];
/** More than the interval between two writes. */
const WRITTEN_MS = 10 * SECOND_MS;

describe.each(anyEngine)('the refresh of profiles on $name', (engine) => {
  const open = useRefreshSetup(engine);

  describe('an account that fails', () => {
    async function fail() {
      const setup = await open();
      await addMembers(setup.store, [ada, bob]);
      await storeProfiles(setup.store, [ada], 2 * DAY_MS);
      addNames(setup, [ada, bob]);
      setup.node.faultOf = ({ query }) => (query === ada ? 'revert' : undefined);
      return { setup, refresh: setup.start() };
    }

    it('keeps its stored name', async () => {
      const { setup, refresh } = await fail();
      await refresh.pass(WRITTEN_MS);
      expect((await namesIn(setup.store)).get(ada)).toBe(nameOf(ada));
    });

    it('does not stop the refresh of others', async () => {
      const { setup, refresh } = await fail();
      await refresh.pass(WRITTEN_MS);
      expect((await namesIn(setup.store)).get(bob)).toBe(nameOf(bob));
    });

    it('is retried after ten minutes, and not before', async () => {
      const { setup, refresh } = await fail();
      await refresh.pass(10 * MINUTE_MS - SECOND_MS);
      expect(fetchCount(setup, ada)).toBe(1);
      await refresh.pass(5 * SECOND_MS);
      expect(fetchCount(setup, ada)).toBe(2);
    });

    it('is not retried earlier if it is queued', async () => {
      const { setup, refresh } = await fail();
      await refresh.pass(WRITTEN_MS);
      await queue(setup.store, [ada]);
      await refresh.pass(WRITTEN_MS);
      expect(fetchCount(setup, ada)).toBe(1);
      expect(await queuedProfiles(setup.store)).toEqual([]);
    });

    it('is not logged as an outage', async () => {
      const { setup, refresh } = await fail();
      await refresh.pass(HOUR_MS);
      expect(logged(setup, 'warn')).toEqual([]);
    });
  });

  it('retries with exponential backoff if the source fails', async () => {
    const setup = await open();
    await addMembers(setup.store, [ada]);
    setup.node.faultOf = () => 'unavailable';
    const refresh = setup.start();
    await refresh.pass(20 * SECOND_MS);
    expect(fetchCount(setup, ada)).toBe(3);
    await refresh.pass(HOUR_MS);
    expect(fetchCount(setup, ada)).toBeLessThan(15);
  });

  describe('a record that fails', () => {
    const failing = { texts: { url: 'https://ada.example' }, failing: ['avatar'] };

    it('is retried after an hour, and not before', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada]);
      setup.node.addName('ada.eth', ada, failing);
      const refresh = setup.start();
      await refresh.pass(HOUR_MS - SECOND_MS);
      expect(fetchCount(setup, ada)).toBe(1);
      await refresh.pass(5 * SECOND_MS);
      expect(fetchCount(setup, ada)).toBe(2);
    });

    it('is not retried once it works', async () => {
      const setup = await open();
      await addMembers(setup.store, [ada]);
      setup.node.addName('ada.eth', ada, failing);
      const refresh = setup.start();
      await refresh.pass(MINUTE_MS);
      setup.node.addName('ada.eth', ada);
      await refresh.pass(3 * HOUR_MS);
      expect(fetchCount(setup, ada)).toBe(2);
      expect(JSON.parse((await profilesOf(setup.store)).get(ada)?.ens ?? '').errors).toEqual({});
    });
  });

  describe('an outage', () => {
    async function breakDown() {
      const setup = await open();
      const members = accounts(60);
      await addMembers(setup.store, members);
      await storeProfiles(setup.store, members, 2 * DAY_MS);
      addNames(setup, members);
      failAll(setup);
      return { setup, members, refresh: setup.start({ requestsPerSecond: 20 }) };
    }

    it('loses no stored name', async () => {
      const { setup, members, refresh } = await breakDown();
      await refresh.pass(10 * MINUTE_MS);
      const names = await namesIn(setup.store);
      expect(members.filter((account) => names.get(account) !== nameOf(account))).toEqual([]);
    });

    it('is met with exponential backoff up to a minute', async () => {
      const { setup, refresh } = await breakDown();
      await refresh.pass(5 * MINUTE_MS);
      const seconds = setup.pauses.map((ms) => ms / SECOND_MS).filter((pause) => pause >= 1);
      expect(seconds.slice(0, 8)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    });

    it('is logged once', async () => {
      const { setup, refresh } = await breakDown();
      await refresh.pass(HOUR_MS);
      expect(logged(setup, 'warn')).toEqual(['profile source unavailable, profiles are not refreshed']);
    });

    it('is noticed again after a restart, when every account has failed before', async () => {
      const { setup, refresh } = await breakDown();
      await refresh.pass(HOUR_MS);
      await refresh.stop();
      setup.logged.length = 0;
      await setup.start({ requestsPerSecond: 20 }).pass(HOUR_MS);
      expect(logged(setup, 'warn')).toEqual(['profile source unavailable, profiles are not refreshed']);
    });

    it('is logged once when it ends, and the refresh continues', async () => {
      const { setup, members, refresh } = await breakDown();
      await refresh.pass(5 * MINUTE_MS);
      setup.node.faultOf = () => undefined;
      await refresh.pass(20 * MINUTE_MS);
      expect(logged(setup, 'info')).toEqual(['profile source available again']);
      const profiles = await profilesOf(setup.store);
      expect(members.filter((account) => (profiles.get(account)?.fresh ?? 0) < NOW)).toEqual([]);
    });

    it('is logged again after a recovery', async () => {
      const { setup, refresh } = await breakDown();
      await refresh.pass(MINUTE_MS);
      setup.node.faultOf = () => undefined;
      await refresh.pass(20 * MINUTE_MS);
      failAll(setup);
      await queue(setup.store, accounts(20, 900));
      await refresh.pass(20 * MINUTE_MS);
      expect(logged(setup, 'warn')).toHaveLength(2);
    });
  });
});
