import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { NOW, ServiceFixture, write } from '../http/support.ts';
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
  DAN,
  follow,
  logsOf,
  tag,
  unfollow,
} from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';

/** Ann and Cat follow Bob, Bob follows Ann, and Cat follows Dan. No ranking has been made yet. */
describe.each(engines)('searches of followers and of accounts followed on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeEach(async () => {
    store = await fixture.open();
    const follows = [follow(ANNS, BOB), follow(CATS, BOB), follow(BOBS, ANN), follow(CATS, DAN)];
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...catsList, ...follows]));
    service = await fixture.serve(store);
  });
  afterEach(() => fixture.close());

  const found = async (path: string, term: string) => {
    const { status, json } = await service.get(`${path}?term=${encodeURIComponent(term)}&cache=fresh`);
    expect(status).toBe(200);
    const entries: { address: string; ens: { name: string } }[] = json.followers ?? json.following;
    return entries.map(({ address, ens }) => [address, ens.name]);
  };
  const followers = (term: string) => found(`/users/${BOB}/searchFollowers`, term);
  const following = (term: string) => found(`/users/${CAT}/searchFollowing`, term);
  const rename = (address: string, name: string, fresh: number) => loadProfiles(store, [{ address, name, fresh }]);

  it('find a follower by a new name at once, and no longer by the old one', async () => {
    await rename(ANN, 'ann.eth', 1);
    expect(await followers('ann')).toEqual([[ANN, 'ann.eth']]);
    await rename(ANN, 'zoe.eth', 2);
    expect(await followers('ann')).toEqual([]);
    expect(await followers('zoe')).toEqual([[ANN, 'zoe.eth']]);
    await rename(ANN, '', 3);
    expect(await followers('zoe')).toEqual([]);
  });

  it('find an account that is followed by a new name at once, on the leaderboard or not', async () => {
    await rename(DAN, 'dan.eth', 1);
    expect(await following('dan')).toEqual([[DAN, 'dan.eth']]);
    await loadRanks(store, NOW * 1000);
    expect(await following('dan')).toEqual([[DAN, 'dan.eth']]);
    await rename(DAN, 'don.eth', 2);
    expect(await following('dan')).toEqual([]);
    expect(await following('DON')).toEqual([[DAN, 'don.eth']]);
  });

  it('find a follower by name whose edge is newer than the profile', async () => {
    await rename(CAT, 'cat.eth', 1);
    await write(store, [unfollow(CATS, BOB)]);
    expect(await followers('cat')).toEqual([]);
    await write(store, [follow(CATS, BOB)]);
    expect(await followers('cat')).toEqual([[CAT, 'cat.eth']]);
    await write(store, [tag(CATS, BOB, 'top8')]);
    expect(await followers('cat')).toEqual([[CAT, 'cat.eth']]);
  });

  it('keep the names of followers when a ranking is made', async () => {
    await rename(ANN, 'ann.eth', 1);
    await loadRanks(store, NOW * 1000);
    expect(await followers('ann')).toEqual([[ANN, 'ann.eth']]);
  });

  it('match any part of a name or an address in any letter case, and take wildcards as text', async () => {
    await rename(ANN, '50percent.eth', 1);
    expect(await followers(' PERCENT ')).toEqual([[ANN, '50percent.eth']]);
    expect(await followers('0xAAAA')).toEqual([[ANN, '50percent.eth']]);
    for (const term of ['%', '_', '*', '.*', '\\', "'"]) expect([term, await followers(term)]).toEqual([term, []]);
  });

  it('put an equal name first, then names that start with the term, then the rest', async () => {
    await rename(ANN, 'my-bob.eth', 1);
    await rename(CAT, 'bob.eth', 1);
    expect(await followers('bob')).toEqual([
      [CAT, 'bob.eth'],
      [ANN, 'my-bob.eth'],
    ]);
    await rename(ANN, 'bob.eth.limo', 2);
    expect(await followers('bob.eth')).toEqual([
      [CAT, 'bob.eth'],
      [ANN, 'bob.eth.limo'],
    ]);
  });

  it('are empty without a term, but 404 for an unknown list all the same', async () => {
    expect(await followers('')).toEqual([]);
    expect(await followers('  ')).toEqual([]);
    expect((await service.get('/lists/999/searchFollowers?term=')).status).toBe(404);
  });

  it('leave out by list the followers that its account blocks or mutes, and not by account', async () => {
    await write(store, [follow(BOBS, CAT), tag(BOBS, CAT, 'mute')]);
    expect(await found('/lists/2/searchFollowers', '0x')).toEqual([[ANN, '']]);
    expect(await followers('0x')).toHaveLength(2);
  });

  it('of accounts followed are without those that are blocked or muted', async () => {
    await write(store, [tag(CATS, DAN, 'block')]);
    expect(await following('0x')).toEqual([[BOB, '']]);
  });
});
