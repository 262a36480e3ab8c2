import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ANN, BOB } from '../model/small-history.ts';
import { notFound } from '../names/enstate/fake-enstate.ts';
import { anyEngine } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { type Live, LiveStage } from './live-stage.ts';

const DAY_MS = 86_400_000;
const followers = '/users/ann.eth/followers';

describe.each(anyEngine)('a name, with a source of names, on $name', (engine) => {
  const stage = new LiveStage(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await stage.open();
    service = await live.serve();
  });
  afterEach(() => stage.close());

  const followersOf = async (name: string) => (await service.get(`/users/${name}/followers`)).json.followers;
  const hang = () => {
    live.enstate.faultOf = () => () => undefined;
  };
  const refuse = () => {
    live.enstate.faultOf = () => (response) => response.writeHead(500).end();
  };

  it('is looked up at the source when no profile has it', async () => {
    live.enstate.addName('ann.eth', ANN);
    expect(await followersOf('ann.eth')).toMatchObject([{ address: BOB }]);
  });

  it('is asked for in its normal form', async () => {
    live.enstate.addName('ann.eth', ANN);
    expect(await followersOf('ANN.eth')).toMatchObject([{ address: BOB }]);
    expect(live.enstate.asked.map(({ queries }) => queries)).toEqual([['ann.eth']]);
  });

  it('that cannot be normalised is never asked for', async () => {
    expect((await service.get('/users/a%20b.eth/followers')).status).toBe(400);
    expect(live.enstate.asked).toEqual([]);
  });

  it('of a fresh profile is not asked for', async () => {
    await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - DAY_MS + 1 }]);
    expect(await followersOf('ann.eth')).toHaveLength(1);
    expect(live.enstate.asked).toEqual([]);
  });

  it('of an old profile is asked for, and leads where the source says', async () => {
    await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - DAY_MS }]);
    live.enstate.addName('ann.eth', BOB);
    expect(await followersOf('ann.eth')).toMatchObject([{ address: ANN }]);
  });

  it('of an old profile leads where it last did while the source cannot tell', async () => {
    await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - DAY_MS }]);
    refuse();
    expect(await followersOf('ann.eth')).toMatchObject([{ address: BOB }]);
  });

  it('that nobody holds is unknown', async () => {
    const { status, json } = await service.get(followers);
    expect([status, json.code]).toEqual([404, 'unknown-name']);
  });

  it('that nobody holds is remembered as unknown for a short time', async () => {
    await service.get(followers);
    const { length } = live.enstate.asked;
    live.enstate.addName('ann.eth', ANN);
    live.now += 59_000;
    expect((await service.get(`${followers}?limit=2`)).status).toBe(404);
    expect(live.enstate.asked).toHaveLength(length);
    live.now += 2_000;
    expect((await service.get(`${followers}?limit=3`)).status).toBe(200);
  });

  it.each([
    ['answers with an error', refuse],
    ['finds nothing because its own node is down', () => Object.assign(live.enstate, { nodeDown: true })],
  ])('is not unknown when the source %s, but cannot be told now', async (_, fail) => {
    fail();
    const { status, headers, json } = await service.get(followers);
    expect([status, json.code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(json.detail).not.toContain('127.0.0.1');
  });

  it('cannot be told when the source does not answer in time, and is told once it has', async () => {
    live.enstate.addName('ann.eth', ANN);
    let answer: (() => void) | undefined;
    live.enstate.faultOf = () => (response) => {
      answer = () => response.writeHead(404).end(JSON.stringify({ status: 404 }));
    };
    const hasty = await live.serve({ deadlineMs: 100 });
    expect((await hasty.get(followers)).status).toBe(503);
    live.enstate.faultOf = () => undefined;
    answer?.();
    await vi.waitFor(async () => expect((await hasty.get(followers)).status).toBe(200));
  });

  it('is asked for once by all who ask at one moment', async () => {
    live.enstate.addName('ann.eth', ANN);
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answerNow = live.enstate.faultOf;
    live.enstate.faultOf = () => (response) => {
      held.then(() => response.writeHead(200).end(JSON.stringify({ name: 'ann.eth', address: ANN })));
    };
    const asking = [1, 2, 3, 4].map((limit) => service.get(`${followers}?limit=${limit}`));
    await vi.waitFor(() => expect(live.enstate.asked.length).toBeGreaterThan(0));
    release?.();
    expect((await Promise.all(asking)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    live.enstate.faultOf = answerNow;
    expect(live.enstate.asked).toHaveLength(1);
  });

  it('that was given away leads to its new holder at once when freshness is asked for', async () => {
    live.enstate.addName('ann.eth', ANN);
    await service.get(followers);
    live.enstate.addName('ann.eth', BOB);
    const { json } = await service.get(`${followers}?cache=fresh`);
    expect(json.followers).toMatchObject([{ address: ANN }]);
    expect(await followersOf('ann.eth')).toMatchObject([{ address: ANN }]);
  });

  it('that the source has told is not answered from the cache for long', async () => {
    live.enstate.addName('ann.eth', ANN);
    await service.get(followers);
    live.enstate.addName('ann.eth', BOB);
    live.now += 61_000;
    expect((await service.get(followers)).json.followers).toMatchObject([{ address: ANN }]);
  });

  describe('of an account whose freshness is asked for', () => {
    const details = '/lists/0/details?cache=fresh';
    const nameOf = async (path: string, of = service) => (await of.get(path)).json.ens.name;

    it('is asked for before the answer, and known to everybody', async () => {
      const other = await live.serve();
      expect(await nameOf('/lists/0/details', other)).toBe('');
      live.enstate.addName('ann.eth', ANN);
      expect(await nameOf(details)).toBe('ann.eth');
      await vi.waitFor(async () => expect(await nameOf('/lists/0/details', other)).toBe('ann.eth'));
      expect(await nameOf('/lists/0/details')).toBe('ann.eth');
    });

    it('is asked for without the cache of the source', async () => {
      live.enstate.addName('ann.eth', ANN);
      live.enstate.cache.set(ANN, notFound);
      expect(await nameOf(details)).toBe('ann.eth');
    });

    it.each([
      ['/lists/0/followers'],
      ['/lists/0/badges'],
      [`/users/${ANN}/followers`],
      [`/users/${ANN}/notifications`],
      [`/users/${ANN}/badges`],
    ])('is asked for by %s too', async (path) => {
      live.enstate.addName('ann.eth', ANN);
      expect((await service.get(`${path}?cache=fresh`)).status).toBe(200);
      expect(await nameOf('/lists/0/details')).toBe('ann.eth');
    });

    it('is what it was when the source does not answer in time', async () => {
      await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 1 }]);
      const hasty = await live.serve({ deadlineMs: 100 });
      hang();
      expect(await nameOf(details, hasty)).toBe('ann.eth');
    });

    it.each([
      ['answers with an error', refuse],
      ['finds nothing because its own node is down', () => Object.assign(live.enstate, { nodeDown: true })],
    ])('is what it was when the source %s', async (_, fail) => {
      await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 1 }]);
      fail();
      expect(await nameOf(details)).toBe('ann.eth');
      expect(live.log.join('')).toContain('a profile could not be renewed');
    });

    it('is gone when the source proves that there is none', async () => {
      await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 1 }]);
      expect(await nameOf(details)).toBe('');
    });

    it('is not taken from an answer that is older than what is known', async () => {
      await loadProfiles(live.store, [{ address: ANN, name: 'new.eth', fresh: live.now }]);
      live.enstate.clock = live.now - 1;
      live.enstate.addName('ann.eth', ANN);
      expect(await nameOf(details)).toBe('new.eth');
    });

    it('is shown in notifications as well', async () => {
      live.enstate.addName('ann.eth', ANN);
      await service.get(details);
      const { json } = await service.get(`/users/${BOB}/notifications?interval=all`);
      expect(json.notifications).toMatchObject([{ address: ANN, name: 'ann.eth' }]);
    });

    it('comes with images that nobody here ever fetches', async () => {
      let visits = 0;
      const host = createServer((socket) => {
        visits += 1;
        socket.destroy();
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void host.close());
      await once(host, 'listening');
      const avatar = `https://127.0.0.1:${(host.address() as AddressInfo).port}/ann.png`;
      live.enstate.addName('ann.eth', ANN, { avatar, header: avatar, records: { avatar, header: avatar } });
      expect((await service.get(details)).json.ens).toMatchObject({ avatar, header: avatar });
      await service.get(`/users/${BOB}/notifications?interval=all`);
      expect(visits).toBe(0);
    });

    it('is not asked for when the list is unknown', async () => {
      expect((await service.get('/lists/77/details?cache=fresh')).status).toBe(404);
      expect(live.enstate.asked).toEqual([]);
    });
  });

  it('that is wanted because somebody asks is written down, unless the profile is fresh', async () => {
    await loadProfiles(live.store, [{ address: BOB, name: 'bob.eth', fresh: live.now }]);
    await service.get('/lists/0/details');
    await service.get(`/users/${BOB}/followers`);
    await service.get(`/users/0x${'9'.repeat(40)}/followers`);
    await stage.closeServices();
    const wanted = await live.store.transaction((tx) => tx.query((db) => db.selectFrom('wanted_profiles').selectAll()));
    expect(wanted).toEqual([{ address: ANN, turn: 0 }]);
  });
});
