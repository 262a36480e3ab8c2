import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { type Exchange, fetchers, redirectFetch } from './client-fetchers.ts';
import { ADA, BOB, CAT, DAN, EVE, FAN_1, FAN_2, FAN_3, FANS, MAL, TOM, VIC } from './client-graph.ts';
import { useClientGraph } from './use-client-graph.ts';

interface Page {
  readonly addressOrName?: string;
  readonly list?: number;
  readonly limit?: number;
  readonly sort?: 'earliest first' | 'latest first' | 'follower count';
  readonly tags?: readonly string[];
  readonly search?: string;
  readonly pageParam?: number;
  readonly allResults?: boolean;
  readonly fresh?: boolean;
}

const addressesOf = (entries: readonly { address: string }[]) => entries.map(({ address }) => address);

describe.each(anyEngine)('fetchers of pages on $name', (engine) => {
  const service = useClientGraph(engine);
  let exchanges: Exchange[];
  beforeEach(() => {
    exchanges = redirectFetch(service().url);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** The last request, after checking that every one so far succeeded. */
  const lastRequest = () => {
    expect(exchanges.filter(({ status }) => status !== 200)).toEqual([]);
    return exchanges.at(-1)?.request;
  };
  const defaults = { addressOrName: 'ada.eth', limit: 20, tags: [], pageParam: 0 };
  const followersOf = async (page: Page) => (await fetchers.fetchProfileFollowers({ ...defaults, ...page })).followers;
  const followingOf = async (page: Page) => (await fetchers.fetchProfileFollowing({ ...defaults, ...page })).following;

  it('fetchProfileFollowers reads followers in pages by their follower count', async () => {
    const sort = 'follower count';
    const first = await followersOf({ sort });
    expect(addressesOf(first)).toEqual([BOB, CAT, DAN, FAN_1, FAN_2, TOM, ...FANS.slice(2, 16)]);
    expect(lastRequest()).toBe('GET /users/ada.eth/followers?limit=20&sort=followers&tags=');
    expect(addressesOf(await followersOf({ sort, pageParam: 1 }))).toEqual(FANS.slice(16));
    expect(lastRequest()).toBe('GET /users/ada.eth/followers?limit=20&offset=20&sort=followers&tags=');
    expect(await followersOf({ sort, pageParam: 2 })).toEqual([]);
    lastRequest();
  });

  it('fetchProfileFollowers reads followers by time, in both directions', async () => {
    expect(addressesOf(await followersOf({ limit: 3, sort: 'latest first' }))).toEqual([CAT, BOB, DAN]);
    expect(lastRequest()).toBe('GET /users/ada.eth/followers?limit=3&sort=latest&tags=');
    expect(addressesOf(await followersOf({ limit: 3, sort: 'earliest first' }))).toEqual([FAN_1, FAN_2, FAN_3]);
    expect(lastRequest()).toBe('GET /users/ada.eth/followers?limit=3&sort=earliest&tags=');
  });

  it('fetchProfileFollowers returns the tags of a follower and filters by them', async () => {
    expect(await followersOf({ tags: ['friend'] })).toMatchObject([
      { address: CAT, tags: ['friend', 'irl'], is_following: true },
      { address: BOB, tags: ['friend'], is_following: true },
    ]);
    expect(addressesOf(await followersOf({ tags: ['irl', 'absent'] }))).toEqual([CAT]);
    expect(lastRequest()).toBe('GET /users/ada.eth/followers?limit=20&tags=irl,absent');
  });

  it('fetchProfileFollowers of a list leaves out a follower whom the account mutes', async () => {
    expect(await followersOf({ addressOrName: ADA, limit: 50 })).toHaveLength(22);
    const ofList = addressesOf(await followersOf({ list: 3, limit: 50 }));
    expect(lastRequest()).toBe('GET /lists/3/followers?limit=50&tags=');
    expect(ofList).toHaveLength(21);
    expect(ofList).not.toContain(TOM);
  });

  it('fetchProfileFollowers searches followers by name and by address', async () => {
    expect(await followersOf({ search: 'ca' })).toMatchObject([{ address: CAT, ens: { name: 'cat.eth' } }]);
    expect(lastRequest()).toBe('GET /users/ada.eth/searchFollowers?limit=20&term=ca&tags=');
    expect(addressesOf(await followersOf({ search: '0xb0b' }))).toEqual([BOB]);
    const fans = addressesOf(await followersOf({ search: 'fan1', list: 3 }));
    expect(lastRequest()).toBe('GET /lists/3/searchFollowers?limit=20&term=fan1&tags=');
    expect(fans).toEqual([FAN_1, ...FANS.slice(9)]);
    expect(await followersOf({ search: '%_%' })).toEqual([]);
  });

  it('fetchProfileFollowers sends a term of one letter to the route of all followers, which ignores it', async () => {
    expect(await followersOf({ search: 'c' })).toHaveLength(20);
    expect(lastRequest()).toBe('GET /users/ada.eth/followers?limit=20&term=c&tags=');
  });

  it('fetchProfileFollowers lists who blocks or mutes an account', async () => {
    const blocking = { allResults: true, tags: ['block', 'mute'] };
    expect(await followersOf(blocking)).toMatchObject([
      { address: MAL, tags: ['block'], is_blocked: true, is_following: false },
    ]);
    expect(lastRequest()).toBe('GET /users/ada.eth/allFollowers?limit=20&tags=block,mute');
    expect(addressesOf(await followersOf({ ...blocking, list: 3 }))).toEqual([MAL]);
    expect(lastRequest()).toBe('GET /lists/3/allFollowers?limit=20&tags=block,mute');
    expect(await followersOf({ allResults: true, limit: 50 })).toHaveLength(23);
  });

  it('fetchProfileFollowing reads followed accounts in each order', async () => {
    const byFollowers = await followingOf({ sort: 'follower count' });
    expect(lastRequest()).toBe('GET /users/ada.eth/following?limit=20&tags=&sort=followers');
    expect(byFollowers).toMatchObject([
      { version: 1, record_type: 'address', data: BOB, address: BOB, tags: ['bff'] },
      { data: CAT, address: CAT, tags: ['bff', 'top8'] },
      { data: VIC, address: VIC, tags: [] },
    ]);
    expect(addressesOf(await followingOf({ sort: 'latest first' }))).toEqual([VIC, CAT, BOB]);
    expect(addressesOf(await followingOf({ sort: 'earliest first', fresh: true }))).toEqual([BOB, CAT, VIC]);
    expect(lastRequest()).toBe('GET /users/ada.eth/following?limit=20&tags=&sort=earliest&cache=fresh');
  });

  it('fetchProfileFollowing reads pages of a list, whether or not it is a primary list', async () => {
    expect(addressesOf(await followingOf({ list: 3, limit: 2, pageParam: 1 }))).toEqual([BOB]);
    expect(lastRequest()).toBe('GET /lists/3/following?limit=2&offset=2&tags=');
    expect(addressesOf(await followingOf({ list: 112 }))).toEqual([EVE]);
    expect(await followingOf({ addressOrName: EVE })).toEqual([]);
    lastRequest();
  });

  it('fetchProfileFollowing filters by tag and searches by name', async () => {
    expect(addressesOf(await followingOf({ tags: ['top8'] }))).toEqual([CAT]);
    expect(await followingOf({ search: 'bo' })).toMatchObject([{ address: BOB, ens: { name: 'bob.eth' } }]);
    expect(lastRequest()).toBe('GET /users/ada.eth/searchFollowing?limit=20&tags=&term=bo');
    expect(addressesOf(await followingOf({ search: '.eth', list: 3 }))).toEqual([BOB, CAT, VIC]);
    expect(lastRequest()).toBe('GET /lists/3/searchFollowing?limit=20&tags=&term=.eth');
  });

  it('fetchProfileFollowing lists whom an account blocks or mutes', async () => {
    const blocked = { allResults: true, tags: ['block', 'mute'], sort: 'follower count' } as const;
    expect(await followingOf(blocked)).toMatchObject([
      { address: MAL, tags: ['block'] },
      { address: TOM, tags: ['mute'] },
    ]);
    expect(lastRequest()).toBe('GET /users/ada.eth/allFollowing?limit=20&tags=block,mute&sort=followers');
    expect(addressesOf(await followingOf({ ...blocked, list: 7 }))).toEqual([MAL, TOM]);
    expect(lastRequest()).toBe('GET /lists/7/allFollowing?limit=20&tags=block,mute&sort=followers');
    expect(addressesOf(await followingOf({ allResults: true }))).toEqual([TOM, MAL, VIC, CAT, BOB]);
    lastRequest();
  });

  it('fetchFollowingTags counts the tags on records that are present', async () => {
    const tags = {
      tags: ['bff', 'block', 'mute', 'top8'],
      tagCounts: [
        { tag: 'bff', count: 2 },
        { tag: 'block', count: 1 },
        { tag: 'mute', count: 1 },
        { tag: 'top8', count: 1 },
      ],
      taggedAddresses: [
        { address: MAL, tag: 'block' },
        { address: TOM, tag: 'mute' },
        { address: BOB, tag: 'bff' },
        { address: CAT, tag: 'bff' },
        { address: CAT, tag: 'top8' },
      ],
    };
    expect(await fetchers.fetchFollowingTags('ada.eth')).toEqual({ address: ADA, ...tags });
    expect(lastRequest()).toBe('GET /users/ada.eth/tags');
    expect(await fetchers.fetchFollowingTags('', 3, true)).toEqual({ token_id: '3', ...tags });
    expect(lastRequest()).toBe('GET /lists/3/tags?cache=fresh');
  });

  it('fetchFollowerTags counts the tags that others gave an account', async () => {
    const tags = {
      tags: ['friend', 'block', 'irl'],
      tagCounts: [
        { tag: 'friend', count: 2 },
        { tag: 'block', count: 1 },
        { tag: 'irl', count: 1 },
      ],
      taggedAddresses: [
        { address: MAL, tag: 'block' },
        { address: BOB, tag: 'friend' },
        { address: CAT, tag: 'friend' },
        { address: CAT, tag: 'irl' },
      ],
    };
    expect(await fetchers.fetchFollowerTags('ada.eth')).toEqual({ address: ADA, ...tags });
    expect(lastRequest()).toBe('GET /users/ada.eth/taggedAs');
    expect(await fetchers.fetchFollowerTags('', 3)).toEqual({ token_id: '3', ...tags });
    expect(lastRequest()).toBe('GET /lists/3/taggedAs');
  });

  it('fetchRecommended recommends whom the followed accounts follow, and popular accounts to a newcomer', async () => {
    const recommended = await fetchers.fetchRecommended('recommended', ADA, undefined, 10, 0);
    expect(lastRequest()).toBe(`GET /users/${ADA}/recommended?limit=10&offset=0`);
    expect(recommended).toMatchObject([
      { address: DAN, name: 'dan.eth', avatar: expect.stringMatching(/dan/), header: expect.stringMatching(/dan/) },
      { address: FAN_1, name: 'fan1.eth' },
      { address: FAN_2, name: 'fan2.eth' },
    ]);
    expect(await fetchers.fetchRecommended('recommended', ADA, '3', 2, 1)).toMatchObject([{ address: FAN_2 }]);
    expect(lastRequest()).toBe('GET /lists/3/recommended?limit=2&offset=2');
    const forNewcomer = await fetchers.fetchRecommended('recommended', EVE, undefined, 3, 0);
    expect(addressesOf(forNewcomer)).toEqual([ADA, BOB, CAT]);
    lastRequest();
  });

  it('fetchRecommended discovers the accounts that were followed most recently', async () => {
    const discovered = await fetchers.fetchRecommended('discover', undefined, undefined, 3, 0);
    expect(lastRequest()).toBe('GET /discover?limit=3&offset=0');
    expect(discovered).toMatchObject([
      { address: VIC, name: 'vic.eth', followers: '1', following: '5' },
      { address: CAT, name: 'cat.eth', followers: '3', following: '2' },
      { address: BOB, name: 'bob.eth', followers: '5', following: '2' },
    ]);
    const next = await fetchers.fetchRecommended('discover', undefined, undefined, 3, 1);
    expect(addressesOf(next)).toEqual([FAN_2, FAN_1, DAN]);
    expect(addressesOf(await fetchers.fetchRecommended('discover', undefined, undefined, 3, 2))).toEqual([ADA]);
    lastRequest();
  });

  it('fetchNotifications returns what others did to an account, with and without an interval', async () => {
    const { summary, notifications } = await fetchers.fetchNotifications(ADA, 'week');
    expect(lastRequest()).toBe(`GET /users/${ADA}/notifications?limit=1000&interval=week`);
    expect(summary).toMatchObject({ total: 27, total_follows: 23, total_tags: 4, total_unfollows: 0 });
    expect(notifications.slice(0, 3)).toMatchObject([
      { address: MAL, name: 'mal.eth', action: 'tag', tag: 'block' },
      { address: MAL, action: 'follow', token_id: '8' },
      { address: CAT, action: 'tag', tag: 'irl' },
    ]);
    const withoutInterval = await fetchers.fetchNotifications(ADA);
    expect(lastRequest()).toBe(`GET /users/${ADA}/notifications?limit=1000&interval=undefined`);
    expect(withoutInterval.summary).toEqual(summary);
  });
});
