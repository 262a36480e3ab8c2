import { describe, expect, it, vi } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { accounts, addNames, failAll, storeProfiles } from './refresh-steps.ts';
import { addMembers, DAY_MS, MINUTE_MS, type RefreshWorld, SECOND_MS, useRefreshWorlds } from './refresh-world.ts';

/** More than the interval between two writes. */
const WRITTEN_MS = 10 * SECOND_MS;

describe.each(anyEngine)('the refresh of profiles on $name', (engine) => {
  const open = useRefreshWorlds(engine);

  describe('the rate limit', () => {
    const most = ({ sentAt }: RefreshWorld) =>
      Math.max(...sentAt.map((from) => sentAt.filter((time) => time >= from && time < from + SECOND_MS).length));

    it('holds if one request per batch is enough', async () => {
      const world = await open();
      const members = accounts(200);
      await addMembers(world.store, members);
      addNames(world, members);
      await world.start({ requestsPerSecond: 4 }).pass(WRITTEN_MS);
      expect(most(world)).toBeLessThanOrEqual(4);
    });

    it('holds if accounts are not found and confirmed by a second request', async () => {
      const world = await open();
      await addMembers(world.store, accounts(200));
      await world.start({ requestsPerSecond: 4 }).pass(WRITTEN_MS);
      expect(most(world)).toBe(4);
    });

    it('holds if each lost name is resolved', async () => {
      const world = await open();
      const members = accounts(30);
      await addMembers(world.store, members);
      await storeProfiles(world.store, members, 2 * DAY_MS);
      await world.start({ requestsPerSecond: 4 }).pass(WRITTEN_MS);
      expect(world.enstate.asked.some(({ bulk }) => !bulk)).toBe(true);
      expect(most(world)).toBeLessThanOrEqual(4);
    });

    it('holds if the server has a low bulk limit', async () => {
      const world = await open();
      world.enstate.maximum = 2;
      await addMembers(world.store, accounts(30));
      await world.start({ requestsPerSecond: 4 }).pass(WRITTEN_MS);
      expect(most(world)).toBeLessThanOrEqual(4);
    });

    it('holds during an outage and after it', async () => {
      const world = await open();
      const members = accounts(200);
      await addMembers(world.store, members);
      addNames(world, members);
      failAll(world);
      const refresh = world.start({ requestsPerSecond: 4 });
      await refresh.pass(MINUTE_MS);
      world.enstate.faultOf = () => undefined;
      await refresh.pass(3 * MINUTE_MS);
      expect(most(world)).toBeLessThanOrEqual(4);
    });

    it.each([
      [3, 3],
      [100, 8],
    ])(
      'of %i requests per second allows %i concurrent calls if the source is slow',
      async (requestsPerSecond, calls) => {
        const world = await open();
        const members = accounts(200);
        await addMembers(world.store, members);
        addNames(world, members);
        world.isSlow = true;
        const held: (() => void)[] = [];
        world.enstate.faultOf = () => (response) => {
          held.push(() => response.writeHead(500).end());
        };
        const refresh = world.start({ requestsPerSecond });
        const passed = refresh.pass(MINUTE_MS);
        await vi.waitFor(() => expect(held).toHaveLength(calls), { timeout: 15_000 });
        world.isSlow = false;
        world.enstate.faultOf = () => undefined;
        for (const answer of held) answer();
        await passed;
        expect(world.maxConcurrent()).toBe(calls);
      },
    );
  });
});
