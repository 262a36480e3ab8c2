import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { placeLog, word } from '../model/encode-log.ts';
import {
  ANN,
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
import { queryDatabase } from '../store/query-database.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks, numberOf, versionOf } from '../support/load.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { NOW, ServiceFixture, write } from './support.ts';

const followers = `/users/${BOB}/followers`;

describe.each(engines)('the response cache on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  /** Opens a store in which Ann follows Bob. */
  async function openStore(): Promise<Store> {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    // On PostgreSQL the notification of the commit arrives over another connection, and makes older entries miss.
    const committed = await versionOf(store);
    await waitFor(() => expect(numberOf(store.version.current())).toBe(committed));
    return store;
  }

  const stateOf = async (service: Service, path: string) => (await service.get(path)).headers.get('x-cache');

  it('answers the second request for a URL from the cache', async () => {
    const service = await fixture.serve(await openStore());
    const first = await service.get(followers);
    const second = await service.get(followers);
    expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
    expect(second.text).toBe(first.text);
    expect(first.json.followers).toHaveLength(1);
  });

  it('misses after a commit that changes the response', async () => {
    const store = await openStore();
    const service = await fixture.serve(store);
    await service.get(followers);
    await write(store, [unfollow(ANNS, BOB)]);
    const { headers, json } = await service.get(followers);
    expect([headers.get('x-cache'), json]).toEqual(['MISS', { followers: [] }]);
  });

  it('does not cache errors: an unknown list is found once it is minted', async () => {
    const store = await fixture.open();
    const service = await fixture.serve(store);
    expect((await service.get('/lists/0/details')).status).toBe(404);
    expect((await service.get('/lists/0/details')).status).toBe(404);
    await write(store, annsList);
    expect((await service.get('/lists/0/details')).status).toBe(200);
  });

  it('is bypassed and updated by cache=fresh', async () => {
    const store = await openStore();
    const service = await fixture.serve(store);
    const before = (await service.get(`${followers}?limit=5`)).text;
    await queryDatabase(fixture, 'delete from edges');
    // A hit, because the change raised no version, which no transaction of a store leaves out.
    expect(await service.get(`${followers}?limit=5`)).toMatchObject({ text: before });
    const fresh = await service.get(`${followers}?limit=5&cache=fresh`);
    expect([fresh.headers.get('x-cache'), fresh.json]).toEqual(['FRESH', { followers: [] }]);
    const after = await service.get(`${followers}?limit=5`);
    expect([after.headers.get('x-cache'), after.text]).toEqual(['HIT', fresh.text]);
  });

  it.each(['cache=fresh', 'limit=3&cache=fresh', 'cache=fresh&limit=3', 'limit=3&cache=fresh&sort=latest'])(
    'is updated by ?%s for the same URL without cache=fresh',
    async (query) => {
      const service = await fixture.serve(await openStore());
      expect(await stateOf(service, `${followers}?${query}`)).toBe('FRESH');
      const rest = query.split('&').filter((pair) => pair !== 'cache=fresh');
      const plain = rest.length === 0 ? followers : `${followers}?${rest.join('&')}`;
      expect(await stateOf(service, plain)).toBe('HIT');
    },
  );

  it.each(['cache=fresh', 'c%61che=fresh', 'cache=%66resh', 'limit=3&cache=fres%68'])(
    'is bypassed by every request with ?%s, percent-encoded or not',
    async (query) => {
      const service = await fixture.serve(await openStore());
      const states = [await stateOf(service, `${followers}?${query}`), await stateOf(service, `${followers}?${query}`)];
      expect(states).toEqual(['FRESH', 'FRESH']);
    },
  );

  it('does not store a fresh response under another URL if a value contains a question mark', async () => {
    const store = await openStore();
    await write(store, [tag(ANNS, BOB, 'who')]);
    const service = await fixture.serve(store);
    expect((await service.get(`${followers}?tags=who?&cache=fresh`)).json).toEqual({ followers: [] });
    expect((await service.get(`${followers}?tags=who`)).json.followers).toHaveLength(1);
  });

  it('expires a response that depends on the clock after one second', async () => {
    let now = NOW * 1000;
    const service = await fixture.serve(await openStore(), { now: () => now });
    const path = `/users/${BOB}/notifications?interval=all`;
    expect(await stateOf(service, path)).toBe('MISS');
    now += 999;
    expect(await stateOf(service, path)).toBe('HIT');
    now += 1;
    expect(await stateOf(service, path)).toBe('MISS');
  });

  it('drops a notification from the window as the clock advances', async () => {
    // Ann's follow is the ninth log, and the logs are ten seconds apart.
    let now = (START + 80 + 3600) * 1000;
    const service = await fixture.serve(await openStore(), { now: () => now });
    const total = async () => (await service.get(`/users/${BOB}/notifications?interval=hour`)).json.summary.total;
    expect(await total()).toBe(1);
    now += 1000;
    expect(await total()).toBe(0);
  });

  it('does not expire notifications with a start, or any other response that does not depend on the clock', async () => {
    let now = NOW * 1000;
    const service = await fixture.serve(await openStore(), { now: () => now });
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

  it('stays within its memory limit and evicts the least recently used responses', async () => {
    const cacheBytes = 100_000;
    const service = await fixture.serve(await openStore(), { cacheBytes });
    const pathOf = (i: number) => `${followers}?offset=${i}&tags=${'t'.repeat(i % 500)}`;
    const seen: number[] = [];
    for (let first = 0; first < 3000; first += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, i) => service.get(pathOf(first + i))));
      seen.push(await cacheSize(service));
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(cacheBytes);
    expect(Math.min(...seen.slice(5))).toBeGreaterThan(cacheBytes / 2);
    expect(await stateOf(service, pathOf(2999))).toBe('HIT');
    expect(await stateOf(service, pathOf(0))).toBe('MISS');
  });

  it('does not cache a response that is larger than its memory limit', async () => {
    const service = await fixture.serve(await openStore(), { cacheBytes: 10 });
    expect([await stateOf(service, followers), await stateOf(service, followers)]).toEqual(['MISS', 'MISS']);
    expect(await cacheSize(service)).toBe(0);
  });

  it('is off with a memory limit of 0', async () => {
    const service = await fixture.serve(await openStore(), { cacheBytes: 0 });
    for (const state of ['MISS', 'MISS', 'MISS']) expect(await stateOf(service, followers)).toBe(state);
    expect(await cacheSize(service)).toBe(0);
  });

  it('answers 500 while reading the data version fails, and recovers', async () => {
    const store = await openStore();
    let isFailing = false;
    const version = {
      ...store.version,
      current() {
        if (isFailing) throw new Error('disk failure');
        return store.version.current();
      },
    };
    const service = await fixture.serve({ ...store, version });
    await service.get(followers);
    isFailing = true;
    const { status, text } = await service.get(followers);
    expect([status, text.includes('disk')]).toEqual([500, false]);
    isFailing = false;
    expect(await stateOf(service, followers)).toBe('HIT');
  });

  it('has no hits while the data version is unknown', async () => {
    const store = await openStore();
    let isKnown = true;
    const version = { ...store.version, current: () => (isKnown ? store.version.current() : null) };
    const service = await fixture.serve({ ...store, version });
    await service.get(followers);
    expect(await stateOf(service, followers)).toBe('HIT');
    isKnown = false;
    expect([await stateOf(service, followers), await stateOf(service, followers)]).toEqual(['MISS', 'MISS']);
    isKnown = true;
    expect(await stateOf(service, followers)).toBe('HIT');
  });

  it('does not cache responses that were read while the data version was unknown', async () => {
    const store = await openStore();
    let isKnown = false;
    const version = { ...store.version, current: () => (isKnown ? store.version.current() : null) };
    const service = await fixture.serve({ ...store, version });
    await service.get(followers);
    isKnown = true;
    expect(await stateOf(service, followers)).toBe('MISS');
  });

  it('misses after the database lost commits and reached the same version with other data', async () => {
    const ours = await openStore();
    const theirs = await fixture.open();
    const service = await fixture.serve(ours);
    await service.get(followers);
    expect(await stateOf(service, followers)).toBe('HIT');
    await queryDatabase(fixture, `update state set value = value - 1 where key = 'data_version'`);
    await theirs.transaction(async (tx) => {
      await tx.execute((db) => db.deleteFrom('edges'));
    });
    await waitFor(async () => expect((await service.get(followers)).json).toEqual({ followers: [] }));
  });

  it('misses at once after a commit of its own process', async () => {
    const store = await openStore();
    const service = await fixture.serve(store);
    for (let blockNumber = 6000; blockNumber < 6010; blockNumber++) {
      const [body, length] = blockNumber % 2 === 0 ? [unfollow(ANNS, BOB), 0] : [follow(ANNS, BOB), 1];
      const place = { blockNumber, blockHash: word(BigInt(blockNumber)), time: NOW - 60, logIndex: 0 };
      await service.get(followers);
      await loadLogs(store, [placeLog(body, place)]);
      expect((await service.get(followers)).json.followers).toHaveLength(length);
    }
  });

  it('misses at once after a commit of another process', async () => {
    const ours = await openStore();
    const theirs = await fixture.open();
    const service = await fixture.serve(ours);
    await service.get(followers);
    expect(await stateOf(service, followers)).toBe('HIT');
    await write(theirs, [follow(BOBS, CAT), unfollow(ANNS, BOB)], ours);
    const { headers, json } = await service.get(followers);
    expect([headers.get('x-cache'), json]).toEqual(['MISS', { followers: [] }]);
  });
});

/** Answers by what they show of profiles. */
const SHOWN = {
  nothing: [`/users/${BOB}/followers`, `/users/${BOB}/stats`],
  name: ['/leaderboard/search?term=ann', `/users/${BOB}/notifications?interval=all&start=${NOW}`],
  profile: [`/users/${ANN}/account`, `/users/${BOB}/followers?include=ens`, `/users/${ANN}/details`],
};

describe.each(engines)('a write of profiles on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  const profile = {
    address: ANN,
    name: 'ann.eth',
    avatar: null,
    header: null,
    display: 'ann.eth',
    records: {},
    chains: {},
  };
  const fetched = (fresh: number, changed = {}) => ({ ...profile, fresh, resolver: null, errors: {}, ...changed });

  it.each([
    ['the same profile, fetched again', {}, ['profile']],
    ['another text', { records: { description: 'other' } }, ['profile']],
    ['another name', { name: 'anna.eth', display: 'anna.eth' }, ['name', 'profile']],
  ] as const)('ends the answers that show %s, and no other', async (_, changed, ended) => {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    await loadProfiles(store, [fetched(1_000)]);
    await loadRanks(store, 1);
    const served = await fixture.open();
    const service = await fixture.serve(served);
    const paths = Object.values(SHOWN).flat();
    const states = async () =>
      Promise.all(paths.map(async (path) => [path, (await service.get(path)).headers.get('x-cache')] as const));
    await states();
    expect(await states()).toEqual(paths.map((path) => [path, 'HIT']));
    await loadProfiles(served, [fetched(2_000, changed)]);
    const missed = ended.flatMap((shown) => SHOWN[shown]);
    expect(await states()).toEqual(paths.map((path) => [path, missed.includes(path) ? 'MISS' : 'HIT']));
  });
});

async function cacheSize({ url }: Service): Promise<number> {
  const { text } = await fetchAnswer(`${url}/metrics`);
  return Number(/^kith_cache_bytes (\S+)$/m.exec(text)?.[1] ?? expect.fail('no kith_cache_bytes'));
}
