import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/protocol/hex.ts';
import { anyEngine } from '../../support/engines.ts';
import { waitFor } from '../../support/wait-for.ts';
import { NOW } from '../accounts.ts';
import { addMembers, MINUTE_MS, type RefreshSetup, SECOND_MS, useRefreshSetup } from './refresh-setup.ts';
import { accounts, addNames, failAll, storeProfiles } from './refresh-steps.ts';

/** More than the interval between two writes. */
const WRITTEN_MS = 10 * SECOND_MS;

describe.each(anyEngine)('the refresh of profiles on $name', (engine) => {
  const open = useRefreshSetup(engine);

  describe('the rate limit', () => {
    const most = ({ sentAt }: RefreshSetup) =>
      Math.max(...sentAt.map((from) => sentAt.filter((time) => time >= from && time < from + SECOND_MS).length));

    it.each(['a name', 'no name'])('holds if the accounts have %s', async (what) => {
      const setup = await open();
      const members = accounts(200);
      await addMembers(setup.store, members);
      if (what === 'a name') addNames(setup, members);
      await setup.start({ requestsPerSecond: 4 }).pass(WRITTEN_MS);
      expect(most(setup)).toBeLessThanOrEqual(4);
    });

    it('holds during an outage and after it', async () => {
      const setup = await open();
      const members = accounts(40);
      await addMembers(setup.store, members);
      addNames(setup, members);
      failAll(setup);
      const refresh = setup.start({ requestsPerSecond: 4 });
      await refresh.pass(MINUTE_MS);
      setup.node.faultOf = () => undefined;
      await refresh.pass(3 * MINUTE_MS);
      expect(most(setup)).toBeLessThanOrEqual(4);
    });

    it.each([
      [3, 3],
      [100, 8],
    ])(
      'of %i requests per second allows %i concurrent calls if the source is slow',
      async (requestsPerSecond, calls) => {
        const setup = await open();
        const members = accounts(40);
        await addMembers(setup.store, members);
        addNames(setup, members);
        setup.isSlow = true;
        const held: (() => void)[] = [];
        setup.node.faultOf = () => (send) => {
          held.push(send);
        };
        const refresh = setup.start({ requestsPerSecond });
        const passed = refresh.pass(MINUTE_MS);
        await waitFor(() => expect(held).toHaveLength(calls));
        setup.isSlow = false;
        setup.node.faultOf = () => undefined;
        for (const answer of held) answer();
        await passed;
        expect(setup.maxConcurrent()).toBe(calls);
      },
    );
  });

  it('stores the number and the age of the profiles of members for the metrics', async () => {
    const setup = await open();
    const [ada, bob, cyd] = accounts(3) as [Address, Address, Address];
    await addMembers(setup.store, [ada, bob, cyd]);
    await storeProfiles(setup.store, [ada, bob], MINUTE_MS);
    await setup.start().pass(3 * MINUTE_MS);
    const counters = await setup.store.transaction((tx) => tx.query((db) => db.selectFrom('counters').selectAll()));
    expect(Object.fromEntries(counters.map(({ name, label, value }) => [`${name} ${label}`.trim(), value]))).toEqual({
      'profiles members': 3,
      'profiles stored': 3,
      'profiles named': 2,
      profiles_oldest: (NOW - MINUTE_MS) / 1_000,
    });
    expect(setup.outcomes).toEqual(['absent']);
  });
});
