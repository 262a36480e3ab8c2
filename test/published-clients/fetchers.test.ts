import { getAddress } from 'viem';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { type Exchange, exportedFetcherNames, FETCHER_NAMES, fetchers, redirectFetch } from './client-fetchers.ts';
import { ADA, ADAS_AVATAR, ADAS_BIO, BADGE, BOB, CAT, DAN, EVE, FAN_1, FAN_2, MAL, TOM, VIC } from './client-graph.ts';
import { useClientGraph } from './use-client-graph.ts';

const NO_EDGE = { follow: false, block: false, mute: false };
const FOLLOWS = { ...NO_EDGE, follow: true };
const BLOCKS = { ...NO_EDGE, block: true };
const MUTES = { ...NO_EDGE, mute: true };

describe('the exports of ethereum-identity-kit', () => {
  it('contain no function that calls the API besides those of these tests', () => {
    expect(exportedFetcherNames().sort()).toEqual([...FETCHER_NAMES]);
  });
});

describe.each(anyEngine)('fetchers of single accounts on $name', (engine) => {
  const service = useClientGraph(engine);
  let exchanges: Exchange[];
  beforeEach(() => {
    exchanges = redirectFetch(service().url);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** Every request succeeded, and these are all of them. */
  const expectRequests = (...requests: readonly string[]) =>
    expect(exchanges).toEqual(requests.map((request) => ({ request, status: 200 })));

  const adasEns = {
    name: 'ada.eth',
    avatar: ADAS_AVATAR,
    display: 'ada.eth',
    records: { description: ADAS_BIO },
  };

  it('fetchAccount finds an account by name, by address in any letter case and by list', async () => {
    const account = { address: ADA, ens: adasEns };
    expect(await fetchers.fetchAccount('ada.eth')).toMatchObject(account);
    expect(await fetchers.fetchAccount(getAddress(ADA))).toMatchObject(account);
    expect(await fetchers.fetchAccount('', 3)).toMatchObject({ ...account, is_primary_list: true, primary_list: '3' });
    expect(await fetchers.fetchAccount(EVE)).toMatchObject({ address: EVE, ens: { name: '', avatar: '' } });
    expectRequests(
      'GET /users/ada.eth/account',
      `GET /users/${getAddress(ADA)}/account`,
      'GET /lists/3/account',
      `GET /users/${EVE}/account`,
    );
  });

  it('fetchAccount tells that a list is not the primary list of its account', async () => {
    expect(await fetchers.fetchAccount('', '112')).toMatchObject({
      address: VIC,
      is_primary_list: false,
      primary_list: '7',
    });
    expectRequests('GET /lists/112/account');
  });

  it('fetchProfileDetails returns the profile and the ranks of an account', async () => {
    const details = {
      address: ADA,
      ens: adasEns,
      ranks: { mutuals_rank: '1', followers_rank: '1', following_rank: '2', top8_rank: '2', blocks_rank: '2' },
      primary_list: '3',
    };
    expect(await fetchers.fetchProfileDetails('ada.eth')).toMatchObject(details);
    expect(await fetchers.fetchProfileDetails(ADA, undefined, true)).toMatchObject(details);
    expect(await fetchers.fetchProfileDetails(ADA, 3)).toMatchObject(details);
    expectRequests('GET /users/ada.eth/details', `GET /users/${ADA}/details?cache=fresh`, 'GET /lists/3/details');
  });

  it('fetchProfileStats counts follow edges only, and those of the list itself for a list', async () => {
    expect(await fetchers.fetchProfileStats('ada.eth')).toEqual({ followers_count: 22, following_count: 3 });
    expect(await fetchers.fetchProfileStats(VIC, undefined, true)).toEqual({ followers_count: 1, following_count: 5 });
    expect(await fetchers.fetchProfileStats(VIC, 112)).toEqual({ followers_count: 1, following_count: 1 });
    expectRequests('GET /users/ada.eth/stats', `GET /users/${VIC}/stats?live=true&cache=fresh`, 'GET /lists/112/stats');
  });

  it('fetchProfileLists returns the lists of an account in numeric order, and none for an account without any', async () => {
    expect(await fetchers.fetchProfileLists(getAddress(VIC), true)).toEqual({ primary_list: '7', lists: ['7', '112'] });
    expect(await fetchers.fetchProfileLists(EVE)).toEqual({ primary_list: '', lists: [] });
    expectRequests(`GET /users/${getAddress(VIC)}/lists?cache=fresh`, `GET /users/${EVE}/lists`);
  });

  it.each([
    [BOB, FOLLOWS],
    [MAL, BLOCKS],
    [TOM, MUTES],
    [ADA, NO_EDGE],
  ])('fetchFollowState tells what a list holds of an account: %s', async (lookupAddressOrName, state) => {
    const lookup = { lookupAddressOrName, connectedAddress: VIC, list: '7', type: 'following' };
    expect(await fetchers.fetchFollowState(lookup)).toEqual({ token_id: '7', address: lookupAddressOrName, state });
    expect(await fetchers.fetchFollowState({ ...lookup, fresh: true })).toMatchObject({ state });
    const path = `GET /lists/7/${lookupAddressOrName}/buttonState`;
    expectRequests(path, `${path}?cache=fresh`);
  });

  it.each([
    [BOB, FOLLOWS],
    [TOM, FOLLOWS],
    [MAL, BLOCKS],
    [VIC, NO_EDGE],
    [EVE, NO_EDGE],
  ])('fetchFollowState tells how an account relates to the visitor: %s', async (lookupAddressOrName, state) => {
    const lookup = { lookupAddressOrName, connectedAddress: getAddress(ADA), type: 'follower' };
    expect(await fetchers.fetchFollowState(lookup)).toEqual({
      addressUser: ADA,
      addressFollower: lookupAddressOrName,
      state,
    });
    const ofList = await fetchers.fetchFollowState({ ...lookup, list: 3 });
    expect(ofList).toEqual({ token_id: '3', address: lookupAddressOrName, state });
    expectRequests(
      `GET /users/${getAddress(ADA)}/${lookupAddressOrName}/followerState`,
      `GET /lists/3/${lookupAddressOrName}/followerState`,
    );
  });

  it('fetchBatchFollowState answers in the order of the question, with a null state for what is nobody', async () => {
    const lookupAddressesOrNames = [TOM, 'bob.eth', null, getAddress(MAL), ADA, 'nobody.eth'];
    const states = await fetchers.fetchBatchFollowState({ lookupAddressesOrNames, list: '7' });
    expect(states).toMatchObject([
      { token_id: '7', address: TOM, state: MUTES },
      { token_id: '7', state: FOLLOWS },
      { token_id: '7', address: null, state: null },
      { token_id: '7', state: BLOCKS },
      { token_id: '7', address: ADA, state: NO_EDGE },
      { token_id: '7', address: 'nobody.eth', state: null },
    ]);
    expectRequests('POST /lists/7/buttonStateBatch');
  });

  it('fetchFollowersYouKnow returns whom the visitor follows among the followers, by mutuals rank', async () => {
    const known = await fetchers.fetchFollowersYouKnow(VIC, 'ada.eth');
    expect(known).toMatchObject({
      length: 5,
      results: [
        { address: BOB, name: 'bob.eth', avatar: expect.stringMatching(/bob/), mutuals_rank: '1' },
        { address: CAT, name: 'cat.eth', header: expect.stringMatching(/cat/), mutuals_rank: '1' },
        { address: DAN, name: 'dan.eth', mutuals_rank: '4' },
        { address: FAN_1, name: 'fan1.eth', mutuals_rank: '4' },
        { address: FAN_2, name: 'fan2.eth', mutuals_rank: '4' },
      ],
    });
    expectRequests(`GET /users/${VIC}/commonFollowers?leader=ada.eth`);
  });

  it('fetchAllFollowersYouKnow reads them in pages', async () => {
    const page = async (pageParam: number) => {
      const lookup = { connectedAddress: VIC, lookupAddressOrName: ADA, limit: 2, pageParam };
      const { followersYouKnow } = await fetchers.fetchAllFollowersYouKnow(lookup);
      return followersYouKnow.map(({ address }: { address: string }) => address);
    };
    expect([await page(0), await page(1), await page(2), await page(3)]).toEqual([
      [BOB, CAT],
      [DAN, FAN_1],
      [FAN_2],
      [],
    ]);
    const first = `GET /users/${VIC}/commonFollowers?leader=${ADA}&limit=2`;
    expectRequests(first, `${first}&offset=2`, `${first}&offset=4`, `${first}&offset=6`);
  });

  it('fetchProfileEFPPoaps returns the stored badge of an account', async () => {
    const held = { eventId: BADGE.eventId, participated: true, collection: { tokenId: BADGE.tokenId, owner: ADA } };
    for (const args of [[ADA], ['ada.eth', undefined, true], [ADA, 3]]) {
      const badges = await fetchers.fetchProfileEFPPoaps(...args);
      expect(badges.filter(({ participated }: { participated: boolean }) => participated)).toMatchObject([held]);
    }
    expectRequests(`GET /users/${ADA}/badges`, 'GET /users/ada.eth/badges?cache=fresh', 'GET /lists/3/badges');
  });
});
