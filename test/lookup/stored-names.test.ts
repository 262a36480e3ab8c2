import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { expectProblem, NOW, ServiceFixture } from '../http/support.ts';
import {
  ANN,
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CAT,
  CATS,
  catsList,
  follow,
  logsOf,
} from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles } from '../support/load.ts';
import type { Service } from '../support/service.ts';

/** Every account has a different follower, which identifies the account that a name was resolved to. */
const FOLLOWER = new Map([
  [ANN, BOB],
  [BOB, CAT],
  [CAT, ANN],
]);

describe.each(engines)('names without a name source on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeAll(async () => {
    store = await fixture.open();
    const follows = [follow(BOBS, ANN), follow(CATS, BOB), follow(ANNS, CAT)];
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...catsList, ...follows]));
    await loadProfiles(store, [
      { address: ANN, name: 'once.eth', fresh: NOW - 2 },
      { address: BOB, name: 'once.eth', fresh: NOW - 1 },
      { address: CAT, name: 'own.eth', fresh: NOW },
    ]);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const holderOf = async (name: string) => {
    const { json } = await service.get(`/users/${name}/followers`);
    const [{ address }] = json.followers;
    return [...FOLLOWER].find(([, follower]) => follower === address)?.[0];
  };

  it('resolves a name to the account whose profile has it, in any letter case', async () => {
    expect(await holderOf('own.eth')).toBe(CAT);
    expect(await holderOf('OWN.eth')).toBe(CAT);
  });

  it('resolves a name that several profiles have to the one fetched last', async () => {
    expect(await holderOf('once.eth')).toBe(BOB);
  });

  it('resolves a name of profiles fetched at the same time to the lowest address', async () => {
    await loadProfiles(store, [
      { address: BOB, name: 'tied.eth', fresh: NOW },
      { address: ANN, name: 'tied.eth', fresh: NOW },
    ]);
    expect(await holderOf('tied.eth')).toBe(ANN);
  });

  it.each(['followers', 'notifications', 'badges'])('returns 404 for the %s of an unknown name', async (endpoint) => {
    const answer = await service.get(`/users/nobodys.eth/${endpoint}`);
    expect(expectProblem(answer, { status: 404, code: 'names-not-resolved' })).toContain('nobodys.eth');
  });

  it('returns notifications and badges by name', async () => {
    const { json } = await service.get('/users/own.eth/notifications?interval=all');
    expect(json.summary).toMatchObject({ total: 1, total_follows: 1 });
    expect(json.notifications).toHaveLength(1);
    expect((await service.get('/users/own.eth/badges')).json.poaps.length).toBeGreaterThan(0);
  });
});
