import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN, BOB, CAT } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { type Live, LiveFixture } from './live-fixture.ts';

const DAY_MS = 86_400_000;

describe.each(anyEngine)('names in the client lookups with a name source', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await fixture.open();
    service = await live.serve();
  });
  afterEach(() => fixture.close());

  const refuse = () => {
    live.node.faultOf = () => 'error';
  };

  it.each([
    `/users/${ANN}/x.eth/followerState`,
    '/lists/0/x.eth/followerState',
    `/users/${ANN}/x.eth/buttonState`,
    '/lists/0/x.eth/buttonState',
  ])('follow a transferred name, in the cache for a short time and with cache=fresh at once: %s', async (path) => {
    const follows = async (query = '') => (await service.get(path + query)).json.state.follow;
    live.node.addName('x.eth', CAT);
    expect(await follows()).toBe(false);
    live.node.addName('x.eth', BOB);
    live.now += 61_000;
    expect(await follows()).toBe(true);
    live.node.addName('x.eth', CAT);
    expect(await follows('?cache=fresh')).toBe(false);
  });

  it.each(['account', 'stats', 'lists', 'following', 'recommended', `${BOB}/buttonState`])(
    'are resolved from stored profiles during an outage: %s',
    async (what) => {
      await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - DAY_MS }]);
      refuse();
      const { status, text } = await service.get(`/users/ann.eth/${what}`);
      expect({ status, text }).toEqual({ status: 200, text: (await service.get(`/users/${ANN}/${what}`)).text });
    },
  );

  it.each(['account', 'lists', `${BOB}/buttonState`, `commonFollowers?leader=${BOB}`])(
    'are 503 and not 404 during an outage if no profile has them: %s',
    async (what) => {
      refuse();
      const { status, json } = await service.get(`/users/ann.eth/${what}`);
      expect([status, json.code]).toEqual([503, 'unavailable']);
    },
  );

  it('are not needed for an address, whose lists are returned during an outage, with cache=fresh too', async () => {
    refuse();
    for (const query of ['', '?cache=fresh']) {
      const { status, json } = await service.get(`/users/${ANN}/lists${query}`);
      expect([status, json]).toEqual([200, { primary_list: '0', lists: ['0'] }]);
    }
  });

  it.each([`/users/${ANN}/account`, '/lists/0/account', `/users/${ANN}/ens`, `/users/${ANN}/details`])(
    'are fetched for cache=fresh before the response: %s',
    async (path) => {
      live.node.addName('ann.eth', ANN);
      expect((await service.get(`${path}?cache=fresh`)).json.ens.name).toBe('ann.eth');
    },
  );
});
