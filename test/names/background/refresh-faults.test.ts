import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/protocol/hex.ts';
import { anyEngine } from '../../support/engines.ts';
import { ccipError, profileOf } from '../enstate/fake-enstate.ts';
import { NOW } from '../enstate/set-up.ts';
import {
  accounts,
  addNames,
  failAll,
  logged,
  nameOf,
  namesIn,
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
  wantedOf,
} from './refresh-world.ts';

const [ada, bob] = accounts(2) as [Address, Address];
/** More than the interval between two writes. */
const WRITTEN_MS = 10 * SECOND_MS;

describe.each(anyEngine)('the refresh of profiles on $name', (engine) => {
  const open = useRefreshWorlds(engine);

  describe('an account that fails', () => {
    async function fail(record: object = ccipError) {
      const world = await open();
      await addMembers(world.store, [ada, bob]);
      await storeProfiles(world.store, [ada], 2 * DAY_MS);
      addNames(world, [bob]);
      world.enstate.script.set(ada, Array(9).fill(record));
      return { world, refresh: world.start() };
    }

    it('keeps its stored name', async () => {
      const { world, refresh } = await fail();
      await refresh.pass(WRITTEN_MS);
      expect((await namesIn(world.store)).get(ada)).toBe(nameOf(ada));
    });

    it('does not stop the refresh of others', async () => {
      const { world, refresh } = await fail();
      await refresh.pass(WRITTEN_MS);
      expect((await namesIn(world.store)).get(bob)).toBe(nameOf(bob));
    });

    it('is retried after ten minutes, and not before', async () => {
      const { world, refresh } = await fail();
      await refresh.pass(10 * MINUTE_MS - SECOND_MS);
      expect(requestCount(world, ada)).toBe(1);
      await refresh.pass(5 * SECOND_MS);
      expect(requestCount(world, ada)).toBe(2);
    });

    it('is not retried earlier if it is queued', async () => {
      const { world, refresh } = await fail();
      await refresh.pass(WRITTEN_MS);
      await queue(world.store, [ada]);
      await refresh.pass(WRITTEN_MS);
      expect(requestCount(world, ada)).toBe(1);
      expect(await wantedOf(world.store)).toEqual([]);
    });

    it('is not logged as an outage', async () => {
      const { world, refresh } = await fail();
      await refresh.pass(HOUR_MS);
      expect(logged(world, 'warn')).toEqual([]);
    });
  });

  it('retries with exponential backoff if the source fails', async () => {
    const world = await open();
    await addMembers(world.store, [ada]);
    failAll(world);
    const refresh = world.start();
    await refresh.pass(20 * SECOND_MS);
    expect(requestCount(world, ada)).toBe(3);
    await refresh.pass(HOUR_MS);
    expect(requestCount(world, ada)).toBeLessThan(15);
  });

  describe('a record that fails', () => {
    const failing = { records: { url: 'https://ada.example' }, errors: { 'records.avatar': 'gone' } };

    it('is retried after an hour, and not before', async () => {
      const world = await open();
      await addMembers(world.store, [ada]);
      world.enstate.addName('ada.eth', ada, failing);
      const refresh = world.start();
      await refresh.pass(HOUR_MS - SECOND_MS);
      expect(requestCount(world, ada)).toBe(1);
      await refresh.pass(5 * SECOND_MS);
      expect(requestCount(world, ada)).toBe(2);
    });

    it('is not retried once it works', async () => {
      const world = await open();
      await addMembers(world.store, [ada]);
      world.enstate.addName('ada.eth', ada, failing);
      const refresh = world.start();
      await refresh.pass(MINUTE_MS);
      world.enstate.addName('ada.eth', ada);
      await refresh.pass(3 * HOUR_MS);
      expect(requestCount(world, ada)).toBe(2);
      expect(JSON.parse((await profilesOf(world.store)).get(ada)?.ens ?? '').errors).toEqual({});
    });
  });

  it('does not retry immediately if the source returns a stale profile from its cache', async () => {
    const world = await open();
    await addMembers(world.store, [ada]);
    world.enstate.cache.set(ada, { type: 'success', fresh: NOW - 2 * DAY_MS, ...profileOf('ada.eth', ada) });
    await world.start().pass(9 * MINUTE_MS);
    expect(requestCount(world, ada)).toBe(1);
  });

  describe('an outage', () => {
    async function breakDown() {
      const world = await open();
      const members = accounts(300);
      await addMembers(world.store, members);
      await storeProfiles(world.store, members, 2 * DAY_MS);
      addNames(world, members);
      failAll(world);
      return { world, members, refresh: world.start({ requestsPerSecond: 20 }) };
    }

    it.each(['refuses', 'finds nothing'])('loses no stored name while the source %s', async (how) => {
      const { world, members, refresh } = await breakDown();
      if (how === 'finds nothing') Object.assign(world.enstate, { faultOf: () => undefined, nodeDown: true });
      await refresh.pass(10 * MINUTE_MS);
      const names = await namesIn(world.store);
      expect(members.filter((account) => names.get(account) !== nameOf(account))).toEqual([]);
    });

    it('is met with exponential backoff up to a minute', async () => {
      const { world, refresh } = await breakDown();
      await refresh.pass(5 * MINUTE_MS);
      const seconds = world.pauses.map((ms) => ms / SECOND_MS).filter((pause) => pause >= 1);
      expect(seconds.slice(0, 8)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    });

    it('is logged once', async () => {
      const { world, refresh } = await breakDown();
      await refresh.pass(HOUR_MS);
      expect(logged(world, 'warn')).toEqual(['profile source unavailable, profiles are not refreshed']);
    });

    it('is logged once when it ends, and the refresh continues', async () => {
      const { world, members, refresh } = await breakDown();
      await refresh.pass(5 * MINUTE_MS);
      world.enstate.faultOf = () => undefined;
      await refresh.pass(20 * MINUTE_MS);
      expect(logged(world, 'info')).toEqual(['profile source available again']);
      const profiles = await profilesOf(world.store);
      expect(members.filter((account) => (profiles.get(account)?.fresh ?? 0) < NOW)).toEqual([]);
    });

    it('is logged again after a recovery', async () => {
      const { world, refresh } = await breakDown();
      await refresh.pass(MINUTE_MS);
      world.enstate.faultOf = () => undefined;
      await refresh.pass(20 * MINUTE_MS);
      failAll(world);
      await queue(world.store, accounts(90, 900));
      await refresh.pass(20 * MINUTE_MS);
      expect(logged(world, 'warn')).toHaveLength(2);
    });
  });
});
