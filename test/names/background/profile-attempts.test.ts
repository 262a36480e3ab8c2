import { describe, expect, it } from 'vitest';
import type { FetchedProfile, ProfileSource } from '../../../src/names/profile-source.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { engines } from '../../support/engines.ts';
import { versionOf } from '../../support/load.ts';
import { waitFor } from '../../support/wait-for.ts';
import { fetched } from '../fetched-profiles.ts';
import { addMembers, MINUTE_MS, profilesOf, type RefreshSetup, SECOND_MS, useRefreshSetup } from './refresh-setup.ts';
import { accounts, queue } from './refresh-steps.ts';

const [ada, bob, poison, dan, eve] = accounts(5) as [Address, Address, Address, Address, Address];
const members = [ada, bob, poison, dan, eve];
const requested = accounts(1, 900);
/** More than the interval between two writes. */
const WRITTEN_MS = 10 * SECOND_MS;

const attemptsOf = ({ store }: RefreshSetup) =>
  store.transaction((tx) => tx.query((db) => db.selectFrom('profile_attempts').selectAll().orderBy('address')));

describe.each(engines)('the attempts of the refresh on $name', (engine) => {
  const open = useRefreshSetup(engine);

  /** A source that fetches each profile with `fetch`. */
  const sourceOf = (fetch: (account: Address) => Promise<FetchedProfile>): ProfileSource => ({
    fetchProfile: fetch,
    fetchHolder: async () => null,
  });

  /** Processes that end when they fetch the profile of `poison`: nothing is stored from then on. */
  async function openPoisoned() {
    const setup = await open();
    await addMembers(setup.store, members);
    const attempted: Address[] = [];
    const start = () => {
      let isEnded = false;
      const source = sourceOf(async (account) => {
        attempted.push(account);
        isEnded ||= account === poison;
        return fetched('', { fresh: setup.now() });
      });
      const write: typeof setup.store.transaction = (work) =>
        isEnded ? Promise.reject(new Error('crashed')) : setup.store.transaction(work);
      return setup.start({ source, write });
    };
    const crash = () => expect(start().pass(20 * MINUTE_MS)).rejects.toThrow('crashed');
    const stored = async () => [...(await profilesOf(setup.store)).keys()].sort();
    return { setup, attempted, start, crash, stored };
  }

  it('are stored before the source is asked, in one write, and raise no version', async () => {
    const setup = await open();
    await addMembers(setup.store, members);
    const before = await versionOf(setup.store);
    let writes = 0;
    const write: typeof setup.store.transaction = (work) => {
      writes += 1;
      return setup.store.transaction(work);
    };
    const seen: unknown[] = [];
    const source = sourceOf(async () => {
      seen.push([writes, await versionOf(setup.store), await attemptsOf(setup)]);
      return fetched('');
    });
    await setup.start({ source, write }).pass(SECOND_MS);
    await waitFor(() => expect(seen).toHaveLength(members.length));
    const opened = members.map((address) => ({
      address,
      attempts: 1,
      is_open: 1,
      retry_at: expect.any(Number),
    }));
    expect(seen).toEqual(members.map(() => [1, before, opened]));
  });

  it('are forgotten when their profiles are stored', async () => {
    const setup = await open();
    await addMembers(setup.store, members);
    await setup.start().pass(WRITTEN_MS);
    expect((await profilesOf(setup.store)).size).toBe(5);
    expect(await attemptsOf(setup)).toEqual([]);
  });

  it('are not repeated right after a crash, and other accounts are fetched', async () => {
    const { setup, attempted, start, crash, stored } = await openPoisoned();
    await crash();
    expect(attempted).toContain(poison);
    attempted.length = 0;
    await queue(setup.store, requested);
    await start().pass(WRITTEN_MS);
    expect(attempted).toEqual(requested);
    expect(await stored()).toEqual(requested);
  });

  it('are repeated one by one after a crash, so that one account does not keep the others of its batch', async () => {
    const { attempted, start, crash, stored } = await openPoisoned();
    await crash();
    attempted.length = 0;
    await crash();
    expect(attempted).toEqual([ada, bob, poison]);
    expect(await stored()).toEqual([ada, bob]);
    attempted.length = 0;
    await start().pass(WRITTEN_MS);
    expect(attempted).toEqual([dan, eve]);
    expect(await stored()).toEqual([ada, bob, dan, eve]);
  });

  it('wait twice as long after each crash', async () => {
    const { setup, crash } = await openPoisoned();
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      await crash();
      const [attempt] = (await attemptsOf(setup)).filter(({ address }) => address === poison);
      waits.push(Math.round(((attempt?.retry_at ?? 0) - setup.now()) / MINUTE_MS));
    }
    expect(waits).toEqual([1, 2, 4, 8]);
  });

  it('wait a minute after a restart, however often the account has failed before', async () => {
    const setup = await open();
    await addMembers(setup.store, [ada]);
    const [address, start] = [ada, setup.now()];
    await setup.store.transaction((tx) =>
      tx.upsert('profile_attempts', [{ address, attempts: 20, is_open: 0, retry_at: start }]),
    );
    const seen: unknown[] = [];
    const source = sourceOf(async () => {
      seen.push(...(await attemptsOf(setup)));
      return fetched('');
    });
    await setup.start({ source }).pass(SECOND_MS);
    await waitFor(() => expect(seen).toHaveLength(1));
    expect(seen).toMatchObject([{ address, is_open: 1, retry_at: start + MINUTE_MS }]);
  });

  it('that throw an unexpected error are failures of one account', async () => {
    const setup = await open();
    await addMembers(setup.store, members);
    const source = sourceOf(async (account) => {
      if (account === poison) throw new RangeError('Maximum call stack size exceeded');
      return fetched('');
    });
    await setup.start({ source }).pass(WRITTEN_MS);
    expect((await profilesOf(setup.store)).size).toBe(4);
    expect(await attemptsOf(setup)).toMatchObject([{ address: poison, attempts: 1, is_open: 0 }]);
    expect(setup.logged.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: 'profile fetch failed unexpectedly' },
    ]);
  });
});
