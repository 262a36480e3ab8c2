import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  tag,
} from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { NOW, ServiceFixture } from './support.ts';

/** Bob is followed by Ann, who has a profile, and by Cat, who has none. Ann follows both. */
const PAGES = [
  [`/users/${BOB}/followers`, 'followers'],
  ['/lists/2/followers', 'followers'],
  [`/users/${BOB}/allFollowers`, 'followers'],
  ['/lists/2/allFollowers', 'followers'],
  [`/users/${CAT}/following`, 'following'],
  ['/lists/3/following', 'following'],
  [`/users/${CAT}/allFollowing`, 'following'],
  ['/lists/3/allFollowing', 'following'],
] as const;
const SORTS = ['latest', 'earliest', 'followers'];

describe.each(engines)('include=ens on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    const edges = [follow(ANNS, BOB), follow(CATS, BOB), follow(CATS, ANN), follow(BOBS, ANN)];
    const tags = [tag(ANNS, BOB, 'top8'), tag(CATS, BOB, 'gm'), tag(CATS, ANN, 'gm')];
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...catsList, ...edges, ...tags]));
    const records = { description: 'Likes "quotes", \\ and 🦆', header: 'https://a.example/h.png' };
    await loadProfiles(store, [
      { address: ANN, name: 'ann.eth', avatar: 'https://a.example/a.png', records, fresh: 5 },
    ]);
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const get = async (path: string) => {
    const { status, json } = await service.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return json;
  };

  it.each(PAGES)(
    'adds the profile of each account to the entries of %s and changes nothing else',
    async (path, key) => {
      for (const query of SORTS.flatMap((sort) => [
        `sort=${sort}`,
        `sort=${sort}&tags=top8,gm`,
        `sort=${sort}&limit=1`,
      ])) {
        const plain: { address: string }[] = (await get(`${path}?${query}`))[key];
        const profiles = plain.map(async ({ address }) => (await get(`/users/${address}/account`)).ens);
        const entries = (await Promise.all(profiles)).map((ens, i) => ({ ...plain[i], ens }));
        expect(entries.length).toBeGreaterThan(0);
        expect(await get(`${path}?${query}&include=ens`)).toEqual({ [key]: entries });
      }
    },
  );

  it('has the whole profile, and an empty one for an account without', async () => {
    const { followers } = await get(`/users/${BOB}/followers?include=ens`);
    const [cat, ann] = [CAT, ANN].map((of) => followers.find(({ address }: { address: string }) => address === of));
    expect(ann.ens).toMatchObject({
      name: 'ann.eth',
      fresh: 5,
      updated_at: '1970-01-01T00:00:00.005Z',
      records: { description: 'Likes "quotes", \\ and 🦆' },
    });
    expect(cat.ens).toMatchObject({ name: '', display: `${CAT.slice(0, 6)}…${CAT.slice(-4)}`, fresh: 0 });
  });

  it.each(['include=', 'include=tags', 'include=ENS', 'include=enso', ''])('is not meant by ?%s', async (query) => {
    const { followers } = await get(`/users/${BOB}/followers?${query}`);
    for (const follower of followers) expect(follower).not.toHaveProperty('ens');
  });

  it.each([
    'include=ens,tags',
    'include=tags,%20ens',
    'include=ens,ens',
    'include=mutuals&include=ens',
    'include=&include=ens',
  ])('is meant by ?%s', async (query) => {
    const { followers } = await get(`/users/${BOB}/followers?${query}`);
    for (const follower of followers) expect(follower).toHaveProperty('ens.name');
  });

  it('shows a changed profile at once', async () => {
    const store = await fixture.open();
    const path = `/users/${BOB}/followers?include=ens&tags=top8`;
    expect((await get(path)).followers[0].ens.name).toBe('ann.eth');
    await loadProfiles(store, [{ address: ANN, name: 'annie.eth', fresh: 6 }]);
    await expect.poll(async () => (await get(path)).followers[0].ens.name).toBe('annie.eth');
  });
});
