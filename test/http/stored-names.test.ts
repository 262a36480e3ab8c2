import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
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
import { expectProblem, NOW, Stage } from './support.ts';

/** Each is followed by one other, which tells who was taken for the holder of a name. */
const FOLLOWER = new Map([
  [ANN, BOB],
  [BOB, CAT],
  [CAT, ANN],
]);

describe.each(engines)('a name, where there is no source of names, on $name', (engine) => {
  const stage = new Stage(engine);
  let store: Store;
  let service: Service;
  beforeAll(async () => {
    store = await stage.open();
    const follows = [follow(BOBS, ANN), follow(CATS, BOB), follow(ANNS, CAT)];
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...catsList, ...follows]));
    await loadProfiles(store, [
      { address: ANN, name: 'once.eth', fresh: NOW - 2 },
      { address: BOB, name: 'once.eth', fresh: NOW - 1 },
      { address: CAT, name: 'own.eth', fresh: NOW },
    ]);
    service = await stage.serve(store);
  });
  afterAll(() => stage.close());

  const holderOf = async (name: string) => {
    const { json } = await service.get(`/users/${name}/followers`);
    const [{ address }] = json.followers;
    return [...FOLLOWER].find(([, follower]) => follower === address)?.[0];
  };

  it('is that of the account whose profile has it', async () => {
    expect(await holderOf('own.eth')).toBe(CAT);
    expect(await holderOf('OWN.eth')).toBe(CAT);
  });

  it('is that of the profile that was fetched last, if several have it', async () => {
    expect(await holderOf('once.eth')).toBe(BOB);
  });

  it('is that of the lowest address, if those were fetched at the same time', async () => {
    await loadProfiles(store, [
      { address: BOB, name: 'tied.eth', fresh: NOW },
      { address: ANN, name: 'tied.eth', fresh: NOW },
    ]);
    expect(await holderOf('tied.eth')).toBe(ANN);
  });

  it.each(['followers', 'notifications', 'badges'])('that nobody holds has no %s', async (question) => {
    const answer = await service.get(`/users/nobodys.eth/${question}`);
    expect(expectProblem(answer, { status: 404, code: 'unknown-name' })).toContain('nobodys.eth');
  });

  it('that is held has notifications and badges', async () => {
    const { json } = await service.get('/users/own.eth/notifications?interval=all');
    expect(json.summary).toMatchObject({ total: 1, total_follows: 1 });
    expect(json.notifications).toHaveLength(1);
    expect((await service.get('/users/own.eth/badges')).json.poaps.length).toBeGreaterThan(0);
  });
});
