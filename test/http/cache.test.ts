import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import {
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CAT,
  follow,
  logsOf,
  START,
  tag,
  unfollow,
} from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { NOW, Stage, write } from './support.ts';

const followers = `/users/${BOB}/followers`;

describe.each(engines)('the cache on $name', (engine) => {
  const stage = new Stage(engine);
  afterEach(() => stage.close());

  /** A store in which ann follows bob. */
  async function openStore(): Promise<Store> {
    const store = await stage.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    return store;
  }

  const stateOf = async (service: Service, path: string) => (await service.get(path)).headers.get('x-cache');

  it('is filled by the first answer and gives the second', async () => {
    const service = await stage.serve(await openStore());
    const first = await service.get(followers);
    const second = await service.get(followers);
    expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
    expect(second.text).toBe(first.text);
    expect(first.json.followers).toHaveLength(1);
  });

  it('gives nothing that was made before a write', async () => {
    const store = await openStore();
    const service = await stage.serve(store);
    await service.get(followers);
    await write(store, [unfollow(ANNS, BOB)]);
    const { headers, json } = await service.get(followers);
    expect([headers.get('x-cache'), json]).toEqual(['MISS', { followers: [] }]);
  });

  it('keeps no problem: a list that was unknown is there once it is minted', async () => {
    const store = await stage.open();
    const service = await stage.serve(store);
    expect((await service.get('/lists/0/details')).status).toBe(404);
    expect((await service.get('/lists/0/details')).status).toBe(404);
    await write(store, annsList);
    expect((await service.get('/lists/0/details')).status).toBe(200);
  });

  it('is passed by and renewed with cache=fresh', async () => {
    const store = await openStore();
    const service = await stage.serve(store);
    const before = (await service.get(`${followers}?limit=5`)).text;
    await changeUnseen(store);
    // Still the record: it is the version that tells what stands, and this change did not raise it.
    expect(await service.get(`${followers}?limit=5`)).toMatchObject({ text: before });
    const fresh = await service.get(`${followers}?limit=5&cache=fresh`);
    expect([fresh.headers.get('x-cache'), fresh.json]).toEqual(['FRESH', { followers: [] }]);
    const after = await service.get(`${followers}?limit=5`);
    expect([after.headers.get('x-cache'), after.text]).toEqual(['HIT', fresh.text]);
  });

  it.each(['cache=fresh', 'limit=3&cache=fresh', 'cache=fresh&limit=3', 'limit=3&cache=fresh&sort=latest'])(
    'with ?%s renews the record of the same question without it',
    async (query) => {
      const service = await stage.serve(await openStore());
      expect(await stateOf(service, `${followers}?${query}`)).toBe('FRESH');
      const rest = query.split('&').filter((pair) => pair !== 'cache=fresh');
      const plain = rest.length === 0 ? followers : `${followers}?${rest.join('&')}`;
      expect(await stateOf(service, plain)).toBe('HIT');
    },
  );

  it.each(['cache=fresh', 'c%61che=fresh', 'cache=%66resh', 'limit=3&cache=fres%68'])(
    'is passed by every time that ?%s asks for it, however it is escaped',
    async (query) => {
      const service = await stage.serve(await openStore());
      const states = [await stateOf(service, `${followers}?${query}`), await stateOf(service, `${followers}?${query}`)];
      expect(states).toEqual(['FRESH', 'FRESH']);
    },
  );

  it('does not keep a fresh answer as that to another question, though a value holds a question mark', async () => {
    const store = await openStore();
    await write(store, [tag(ANNS, BOB, 'who')]);
    const service = await stage.serve(store);
    expect((await service.get(`${followers}?tags=who?&cache=fresh`)).json).toEqual({ followers: [] });
    expect((await service.get(`${followers}?tags=who`)).json.followers).toHaveLength(1);
  });

  it('keeps an answer that depends on the clock for less than a second', async () => {
    let now = NOW * 1000;
    const service = await stage.serve(await openStore(), { now: () => now });
    const path = `/users/${BOB}/notifications?interval=all`;
    expect(await stateOf(service, path)).toBe('MISS');
    now += 999;
    expect(await stateOf(service, path)).toBe('HIT');
    now += 1;
    expect(await stateOf(service, path)).toBe('MISS');
  });

  it('lets a notification out of the window as the clock moves on', async () => {
    // Ann's follow is the ninth log, and each comes ten seconds after the one before.
    let now = (START + 80 + 3600) * 1000;
    const service = await stage.serve(await openStore(), { now: () => now });
    const total = async () => (await service.get(`/users/${BOB}/notifications?interval=hour`)).json.summary.total;
    expect(await total()).toBe(1);
    now += 1000;
    expect(await total()).toBe(0);
  });

  it('keeps notifications with a start, and whatever else has no clock in it, as long as the data stands', async () => {
    let now = NOW * 1000;
    const service = await stage.serve(await openStore(), { now: () => now });
    const paths = [
      `/users/${BOB}/notifications?start=${NOW}`,
      followers,
      '/leaderboard/search',
      '/lists/0/details',
      '/lists/0/badges',
    ];
    for (const path of paths) expect([path, await stateOf(service, path)]).toEqual([path, 'MISS']);
    now += 365 * 86_400_000;
    for (const path of paths) expect([path, await stateOf(service, path)]).toEqual([path, 'HIT']);
  });

  it('stays within its memory, however many questions are asked', async () => {
    const cacheBytes = 100_000;
    const service = await stage.serve(await openStore(), { cacheBytes });
    const pathOf = (i: number) => `${followers}?offset=${i}&tags=${'t'.repeat(i % 500)}`;
    const seen: number[] = [];
    for (let first = 0; first < 3000; first += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, i) => service.get(pathOf(first + i))));
      seen.push(await cacheSize(service));
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(cacheBytes);
    expect(Math.min(...seen.slice(5))).toBeGreaterThan(cacheBytes / 2);
    // What was asked last is still there, what was asked first had to go.
    expect(await stateOf(service, pathOf(2999))).toBe('HIT');
    expect(await stateOf(service, pathOf(0))).toBe('MISS');
  });

  it('answers what is larger than its memory without keeping it', async () => {
    const service = await stage.serve(await openStore(), { cacheBytes: 10 });
    expect([await stateOf(service, followers), await stateOf(service, followers)]).toEqual(['MISS', 'MISS']);
    expect(await cacheSize(service)).toBe(0);
  });

  it('is off with no memory', async () => {
    const service = await stage.serve(await openStore(), { cacheBytes: 0 });
    for (const state of ['MISS', 'MISS', 'MISS']) expect(await stateOf(service, followers)).toBe(state);
    expect(await cacheSize(service)).toBe(0);
  });

  it('that cannot look at the version of the data is told of, and the service goes on', async () => {
    const store = await openStore();
    let isFailing = false;
    const version = {
      current() {
        if (isFailing) throw new Error('the disk is out of order');
        return store.version.current();
      },
    };
    const service = await stage.serve({ ...store, version });
    await service.get(followers);
    isFailing = true;
    const { status, text } = await service.get(followers);
    expect([status, text.includes('disk')]).toEqual([500, false]);
    isFailing = false;
    expect(await stateOf(service, followers)).toBe('HIT');
  });

  it('gives nothing while the version of the data is unknown', async () => {
    const store = await openStore();
    let isKnown = true;
    const version = { current: () => (isKnown ? store.version.current() : null) };
    const service = await stage.serve({ ...store, version });
    await service.get(followers);
    expect(await stateOf(service, followers)).toBe('HIT');
    isKnown = false;
    expect([await stateOf(service, followers), await stateOf(service, followers)]).toEqual(['MISS', 'MISS']);
    isKnown = true;
    expect(await stateOf(service, followers)).toBe('HIT');
  });

  it('keeps nothing that was made while the version of the data was unknown', async () => {
    const store = await openStore();
    let isKnown = false;
    const version = { current: () => (isKnown ? store.version.current() : null) };
    const service = await stage.serve({ ...store, version });
    await service.get(followers);
    isKnown = true;
    expect(await stateOf(service, followers)).toBe('MISS');
  });

  it('shows at once what another process has written', async () => {
    const ours = await openStore();
    const theirs = await stage.open();
    const service = await stage.serve(ours);
    await service.get(followers);
    expect(await stateOf(service, followers)).toBe('HIT');
    await write(theirs, [follow(BOBS, CAT), unfollow(ANNS, BOB)], ours);
    const { headers, json } = await service.get(followers);
    expect([headers.get('x-cache'), json]).toEqual(['MISS', { followers: [] }]);
  });
});

/** Changes an answer without raising the version, as nothing but a test would. */
async function changeUnseen(store: Store): Promise<void> {
  await store.transaction((tx) => tx.execute((db) => db.deleteFrom('followers')));
}

async function cacheSize({ url }: Service): Promise<number> {
  const { text } = await fetchAnswer(`${url}/metrics`);
  return Number(/^kith_cache_bytes (\S+)$/m.exec(text)?.[1] ?? expect.fail('no kith_cache_bytes'));
}
