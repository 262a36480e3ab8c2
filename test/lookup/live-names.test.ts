import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ANN, BOB } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Live, LiveFixture } from './live-fixture.ts';

const DAY_MS = 86_400_000;
const followers = '/users/ann.eth/followers';

describe.each(anyEngine)('names with a name source on $name', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await fixture.open();
    service = await live.serve();
  });
  afterEach(() => fixture.close());

  const followersOf = async (name: string) => (await service.get(`/users/${name}/followers`)).json.followers;
  const hang = () => {
    live.node.faultOf = () => 'hang';
  };
  const refuse = () => {
    live.node.faultOf = () => 'error';
  };

  it('resolves a name that no profile has with the source', async () => {
    live.node.addName('ann.eth', ANN);
    expect(await followersOf('ann.eth')).toMatchObject([{ address: BOB }]);
  });

  it('sends the normalised name to the source', async () => {
    live.node.addName('ann.eth', ANN);
    expect(await followersOf('ANN.eth')).toMatchObject([{ address: BOB }]);
    expect(live.node.requests.map(({ query }) => query)).toEqual(['ann.eth']);
  });

  it('returns 400 for a name that cannot be normalised, without a request to the source', async () => {
    expect((await service.get('/users/a%20b.eth/followers')).status).toBe(400);
    expect(live.node.requests).toEqual([]);
  });

  it('resolves the name of a fresh profile without a request to the source', async () => {
    await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - DAY_MS + 1 }]);
    expect(await followersOf('ann.eth')).toHaveLength(1);
    expect(live.node.requests).toEqual([]);
  });

  it('resolves the name of an expired profile with the source', async () => {
    await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - DAY_MS }]);
    live.node.addName('ann.eth', BOB);
    expect(await followersOf('ann.eth')).toMatchObject([{ address: ANN }]);
  });

  it('does not delay expensive lookups of other accounts while the source hangs', async () => {
    const hasty = await live.serve({ deadlineMs: 2_000 });
    hang();
    const search = 'searchFollowers?term=0x';
    const waiting = hasty.get(`/users/ann.eth/${search}`);
    await waitFor(() => expect(live.node.requests).not.toEqual([]));
    expect((await hasty.get(`/users/${ANN}/${search}`)).json.followers).toMatchObject([{ address: BOB }]);
    expect((await waiting).status).toBe(503);
  });

  it('resolves the name of an expired profile from the database during an outage', async () => {
    await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - DAY_MS }]);
    refuse();
    expect(await followersOf('ann.eth')).toMatchObject([{ address: BOB }]);
  });

  it('returns 404 for a name without a holder', async () => {
    const { status, json } = await service.get(followers);
    expect([status, json.code]).toEqual([404, 'unknown-name']);
  });

  it('caches for a short time that a name has no holder', async () => {
    await service.get(followers);
    const { length } = live.node.requests;
    live.node.addName('ann.eth', ANN);
    live.now += 59_000;
    expect((await service.get(`${followers}?limit=2`)).status).toBe(404);
    expect(live.node.requests).toHaveLength(length);
    live.now += 2_000;
    expect((await service.get(`${followers}?limit=3`)).status).toBe(200);
  });

  it.each([-365, 365])('caches it for the same time if the system clock is set by %i days', async (days) => {
    await service.get(followers);
    const { length } = live.node.requests;
    live.node.addName('ann.eth', ANN);
    live.step = days * DAY_MS;
    live.now += 59_000;
    expect((await service.get(`${followers}?limit=2`)).status).toBe(404);
    expect(live.node.requests).toHaveLength(length);
    live.now += 2_000;
    expect((await service.get(`${followers}?limit=3`)).status).toBe(200);
  });

  it('returns 503, not 404, when the source returns an error', async () => {
    refuse();
    const { status, headers, json } = await service.get(followers);
    expect([status, json.code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(json.detail).not.toContain('127.0.0.1');
  });

  it('returns 503 when the source misses the deadline, and the name once it has responded', async () => {
    live.node.addName('ann.eth', ANN);
    let answer: (() => void) | undefined;
    live.node.faultOf = () => (send) => {
      answer = send;
    };
    const hasty = await live.serve({ deadlineMs: 100 });
    expect((await hasty.get(followers)).status).toBe(503);
    live.node.faultOf = () => undefined;
    answer?.();
    await waitFor(async () => expect((await hasty.get(followers)).status).toBe(200));
  });

  it('sends one request for concurrent requests with the same name (single flight)', async () => {
    live.node.addName('ann.eth', ANN);
    let release: (() => void) | undefined;
    live.node.faultOf = () => (send) => {
      release = send;
    };
    const asking = [1, 2, 3, 4].map((limit) => service.get(`${followers}?limit=${limit}`));
    await waitFor(() => expect(live.node.requests.length).toBeGreaterThan(0));
    release?.();
    expect((await Promise.all(asking)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(live.node.requests).toHaveLength(1);
  });

  it('resolves a transferred name to its new holder for cache=fresh', async () => {
    live.node.addName('ann.eth', ANN);
    await service.get(followers);
    live.node.addName('ann.eth', BOB);
    const { json } = await service.get(`${followers}?cache=fresh`);
    expect(json.followers).toMatchObject([{ address: ANN }]);
    expect(await followersOf('ann.eth')).toMatchObject([{ address: ANN }]);
  });

  it('caches a response that depends on the source for a short time', async () => {
    live.node.addName('ann.eth', ANN);
    await service.get(followers);
    live.node.addName('ann.eth', BOB);
    live.now += 61_000;
    expect((await service.get(followers)).json.followers).toMatchObject([{ address: ANN }]);
  });

  describe('cache=fresh', () => {
    const details = '/lists/0/details?cache=fresh';
    const nameOf = async (path: string, of = service) => (await of.get(path)).json.ens.name;

    it('fetches the profile before it responds, and makes it visible to every process', async () => {
      const other = await live.serve();
      expect(await nameOf('/lists/0/details', other)).toBe('');
      live.node.addName('ann.eth', ANN);
      expect(await nameOf(details)).toBe('ann.eth');
      await waitFor(async () => expect(await nameOf('/lists/0/details', other)).toBe('ann.eth'));
      expect(await nameOf('/lists/0/details')).toBe('ann.eth');
    });

    it.each([
      ['/lists/0/followers'],
      ['/lists/0/badges'],
      [`/users/${ANN}/followers`],
      [`/users/${ANN}/notifications`],
      [`/users/${ANN}/badges`],
    ])('fetches the profile for %s too', async (path) => {
      live.node.addName('ann.eth', ANN);
      expect((await service.get(`${path}?cache=fresh`)).status).toBe(200);
      expect(await nameOf('/lists/0/details')).toBe('ann.eth');
    });

    it('returns the stored profile when the source misses the deadline', async () => {
      await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 1 }]);
      const hasty = await live.serve({ deadlineMs: 100 });
      hang();
      expect(await nameOf(details, hasty)).toBe('ann.eth');
    });

    it('returns the stored profile when the source returns an error', async () => {
      await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 1 }]);
      refuse();
      expect(await nameOf(details)).toBe('ann.eth');
      expect(live.log.join('')).toContain('profile refresh failed');
    });

    it('removes a name that the source no longer has', async () => {
      await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 1 }]);
      expect(await nameOf(details)).toBe('');
    });

    it('keeps the stored profile if it is newer than the request to the source', async () => {
      await loadProfiles(live.store, [{ address: ANN, name: 'new.eth', fresh: live.now + 1 }]);
      live.node.addName('ann.eth', ANN);
      expect(await nameOf(details)).toBe('new.eth');
    });

    it('updates the name in notifications', async () => {
      live.node.addName('ann.eth', ANN);
      await service.get(details);
      const { json } = await service.get(`/users/${BOB}/notifications?interval=all`);
      expect(json.notifications).toMatchObject([{ address: ANN, name: 'ann.eth' }]);
    });

    it('never fetches avatars and headers', async () => {
      let visits = 0;
      const host = createServer((socket) => {
        visits += 1;
        socket.destroy();
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void host.close());
      await once(host, 'listening');
      const avatar = `https://127.0.0.1:${(host.address() as AddressInfo).port}/ann.png`;
      live.node.addName('ann.eth', ANN, { texts: { avatar, header: avatar } });
      expect((await service.get(details)).json.ens).toMatchObject({ avatar, header: avatar });
      await service.get(`/users/${BOB}/notifications?interval=all`);
      expect(visits).toBe(0);
    });

    it('sends no request to the source for an unknown list', async () => {
      expect((await service.get('/lists/77/details?cache=fresh')).status).toBe(404);
      expect(live.node.requests).toEqual([]);
    });
  });

  it('queues the profile of a requested account unless it is fresh or the account is unknown', async () => {
    await loadProfiles(live.store, [{ address: BOB, name: 'bob.eth', fresh: live.now }]);
    await service.get('/lists/0/details');
    await service.get(`/users/${BOB}/followers`);
    await service.get(`/users/0x${'9'.repeat(40)}/followers`);
    await fixture.closeServices();
    const queued = await live.store.transaction((tx) => tx.query((db) => db.selectFrom('wanted_profiles').selectAll()));
    expect(queued).toEqual([{ address: ANN, priority: 0 }]);
  });
});
