import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { placeLog, word } from '../model/encode-log.ts';
import { ANN, ANNS, annsList, follow, logsOf, ownList, slotOf, tag, unfollow } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import type { Answer, Service } from '../support/service.ts';
import { cursorOf, entriesOf, forge, LINK, nextOf } from './page-links.ts';
import { expectProblem, NOW, ServiceFixture, STAR, write } from './support.ts';

const SORTS = ['latest', 'earliest', 'followers'];
const EDGES = ['followers', 'allFollowers', 'following', 'allFollowing'];
const OTHERS = ['latestFollowers?', 'searchFollowers?term=e', 'searchFollowing?term=e', 'recommended?'];
const PATHS = [
  ...EDGES.flatMap((lookup) => SORTS.map((sort) => `/lists/${STAR.list}/${lookup}?sort=${sort}`)),
  // How a request refers to the account does not depend on the order.
  ...[`/users/${STAR.address}`, `/users/${STAR.name}`].flatMap((user) => EDGES.map((lookup) => `${user}/${lookup}?`)),
  ...OTHERS.flatMap((lookup) => [`/users/${STAR.address}/${lookup}`, `/lists/${STAR.list}/${lookup}`]),
  `/lists/${STAR.list}/recommended/details?`,
  ...['top8', 'top8,gm'].flatMap((tags) =>
    ['followers', 'following'].flatMap((lookup) =>
      SORTS.map((sort) => `/users/${STAR.address}/${lookup}?sort=${sort}&tags=${tags}&include=ens`),
    ),
  ),
  ...['', '&opcode=1', '&tag=top8', '&opcode=3&tag=top8'].map(
    (filter) => `/users/${STAR.address}/notifications?interval=all${filter}`,
  ),
  `/users/${STAR.address}/commonFollowers?leader=${STAR.address}`,
  ...SORTS.map((sort) => `/users/${STAR.address}/mutuals?sort=${sort}`),
  ...['in', 'out'].map((direction) => `/users/${STAR.address}/relationships?tag=top8&direction=${direction}`),
  '/minters?',
  '/leaderboard/followers?',
  '/leaderboard/mutes?',
  '/leaderboard/search?',
  '/leaderboard/search?term=e',
  '/leaderboard/ranked?sort=top8&direction=asc',
  '/leaderboard/all?',
  '/discover?',
];

describe.each(engines)('pages by cursor on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serveDemo();
  });
  afterAll(() => fixture.close());

  const get = async (path: string) => {
    const answer = await service.get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer;
  };

  it.each(PATHS)('have the entries of pages by offset, and no link on the last page: %s', async (path) => {
    const all = entriesOf(await get(`${path}&limit=1000`)).slice(0, 60);
    expect(all).not.toEqual([]);
    for (const limit of [7, Math.ceil(all.length / 3)].filter((size) => size > 0)) {
      const seen: unknown[] = [];
      let next: string | null = `${path}&limit=${limit}`;
      while (next !== null && seen.length < all.length) {
        const answer = await get(next);
        const entries = entriesOf(answer);
        seen.push(...entries);
        next = nextOf(next, answer);
        if (next !== null) expect(entries).toHaveLength(limit);
      }
      expect(seen.slice(0, all.length)).toEqual(all);
      if (all.length < 60) expect(next).toBeNull();
    }
  });
});

const accounts = Array.from({ length: 9 }, (_, i): `0x${string}` => `0x${(i + 1).toString(16).repeat(40)}`);
const LATE = `0x${'f'.repeat(40)}` as const;
const slots = new Map(accounts.map((account, i) => [account, slotOf(100n + BigInt(i))]));
const slotFor = (account: `0x${string}`) => slots.get(account) ?? expect.fail('no slot');
const lists = accounts.flatMap((account, i) => ownList(account, BigInt(10 + i), slotFor(account)));

describe.each(engines)('cursors on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let served: Store;
  let service: Service;
  let now: number;
  beforeEach(async () => {
    now = NOW;
    store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...lists]));
    // All of one time, and before those of `write`.
    const block = { blockNumber: 4000, blockHash: word(4000n), time: NOW - 120 };
    const follows = accounts.flatMap((account) => [follow(ANNS, account), follow(slotFor(account), ANN)]);
    await loadLogs(
      store,
      follows.map((body, logIndex) => placeLog(body, { ...block, logIndex })),
    );
    await loadRanks(store, 1);
    // Opened now, so that no notification of the above is still under way.
    served = await fixture.open();
    service = await fixture.serve(served, { now: () => now * 1000 });
  });
  afterEach(() => fixture.close());

  const addressesOf = (answer: Answer) => entriesOf(answer).map((entry) => (entry as { address: string }).address);

  it.each(['followers', 'allFollowers', 'latestFollowers', 'following', 'allFollowing'])(
    'neither lose nor repeat entries of %s while the graph changes, newest first',
    async (lookup) => {
      const first = `/users/${ANN}/${lookup}?limit=4`;
      const page = await service.get(first);
      expect(addressesOf(page)).toEqual(accounts.slice(0, 4));
      const [gone] = accounts;
      const change = lookup.includes('ollowers')
        ? [unfollow(slotFor(gone as typeof ANN), ANN), tag(slotFor(accounts[1] as typeof ANN), ANN, 'gm')]
        : [unfollow(ANNS, gone as typeof ANN), follow(ANNS, LATE), tag(ANNS, accounts[1] as typeof ANN, 'gm')];
      await write(store, change, served);
      const second = nextOf(first, page) ?? expect.fail('no second page');
      const rest = await service.get(second);
      expect(addressesOf(rest)).toEqual(accounts.slice(4, 8));
      expect(addressesOf(await service.get(nextOf(second, rest) ?? expect.fail('no third page')))).toEqual(
        accounts.slice(8),
      );
    },
  );

  it('go on to what is new in the order from the oldest', async () => {
    const first = `/users/${ANN}/following?sort=earliest&limit=8`;
    const page = await service.get(first);
    await write(store, [follow(ANNS, LATE)], served);
    const rest = await service.get(nextOf(first, page) ?? expect.fail('no second page'));
    expect([...addressesOf(page), ...addressesOf(rest)]).toEqual([...accounts.toReversed(), LATE]);
  });

  it('show an entry that changes after it was seen again at the end, in the order from the oldest', async () => {
    const first = `/users/${ANN}/following?sort=earliest&limit=8`;
    const page = await service.get(first);
    await write(store, [tag(ANNS, accounts[8] as typeof ANN, 'gm')], served);
    const rest = await service.get(nextOf(first, page) ?? expect.fail('no second page'));
    expect([...addressesOf(page), ...addressesOf(rest)]).toEqual([...accounts.toReversed(), accounts[8]]);
  });

  it('do not reach an entry that changes before it was seen, newest first', async () => {
    const first = `/users/${ANN}/following?limit=4`;
    const page = await service.get(first);
    await write(store, [tag(ANNS, accounts[8] as typeof ANN, 'gm')], served);
    const rest = await service.get(nextOf(first, page) ?? expect.fail('no second page'));
    expect([...addressesOf(page), ...addressesOf(rest)]).toEqual(accounts.slice(0, 8));
    expect(rest.headers.get('link')).toBeNull();
  });

  it.each(['followers', 'following'])(
    'keep the order of %s by follower count until the next ranking, while counts change',
    async (lookup) => {
      const first = `/users/${ANN}/${lookup}?sort=followers&limit=5`;
      const page = await service.get(first);
      const [seen, unseen] = [accounts[0] as typeof ANN, accounts[8] as typeof ANN];
      await write(store, [follow(slotFor(seen), unseen), unfollow(ANNS, seen)], served);
      const rest = await service.get(nextOf(first, page) ?? expect.fail('no second page'));
      expect([...addressesOf(page), ...addressesOf(rest)]).toEqual(accounts);
    },
  );

  it.each([
    ['discover', [accounts.slice(0, 4), accounts.slice(4, 8), [...accounts.slice(8), ANN]]],
    ['minters', [accounts.slice(5).toReversed(), accounts.slice(1, 5).toReversed(), [...accounts.slice(0, 1), ANN]]],
  ])('neither lose nor repeat entries of %s while the graph changes', async (lookup, pages) => {
    const seen: string[][] = [];
    for (let next: string | null = `/${lookup}?limit=4`; next !== null; ) {
      const page = await service.get(next);
      seen.push(addressesOf(page));
      next = nextOf(next, page);
      // New entries, and a change of the first one.
      const account = `0x${seen.length}${'f'.repeat(39)}` as const;
      const changed = seen[0]?.[0] as typeof ANN;
      const number = BigInt(50 + seen.length);
      const list = ownList(account, number, slotOf(number));
      await write(store, [follow(ANNS, account), follow(slotOf(number), changed), ...list], served);
    }
    expect(seen).toEqual(pages);
  });

  it('neither lose nor repeat notifications when a new one arrives', async () => {
    const first = `/users/${ANN}/notifications?interval=all&limit=5`;
    const page = await service.get(first);
    await write(store, [unfollow(slotFor(accounts[0] as typeof ANN), ANN)], served);
    const rest = await service.get(nextOf(first, page) ?? expect.fail('no second page'));
    expect([...addressesOf(page), ...addressesOf(rest)].toSorted()).toEqual(accounts);
    expect(entriesOf(await service.get(first))[0]).toMatchObject({ address: accounts[0], action: 'unfollow' });
  });

  it('keep the interval of the first page of notifications while time passes', async () => {
    const first = `/users/${ANN}/notifications?interval=hour&limit=5`;
    const page = await service.get(first);
    now += 3600;
    const rest = await service.get(nextOf(first, page) ?? expect.fail('no second page'));
    const seen = [...addressesOf(page), ...addressesOf(rest)];
    expect(seen.toSorted()).toEqual(accounts);
    expect(rest.headers.get('link')).toBeNull();
    expect(addressesOf(await service.get(first))).toEqual([]);
  });

  it('are in responses of the cache, to HEAD and to revalidations', async () => {
    const path = `/users/${ANN}/followers?limit=2`;
    const miss = await service.get(path);
    const link = miss.headers.get('link');
    expect(link).toMatch(LINK);
    const hit = await service.get(path);
    expect([hit.headers.get('x-cache'), hit.headers.get('link')]).toEqual(['HIT', link]);
    const head = await service.get(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('link')]).toEqual([200, link]);
    const headers = { 'if-none-match': miss.headers.get('etag') ?? '' };
    const unchanged = await service.get(path, { headers });
    expect([unchanged.status, unchanged.headers.get('link')]).toEqual([304, link]);
    expect((await service.get(`${path}&cache=fresh`)).headers.get('link')).toBe(link);
  });

  it('are exposed to browsers, and the link keeps the parameters of the lookup alone', async () => {
    const path = `/users/${ANN}/allFollowers?limit=2&tags=&x=%3E&sort=latest&include=ens&offset=1&cache=fresh`;
    const { headers } = await service.get(path, { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-expose-headers')?.split(', ')).toContain('Link');
    const query = new URLSearchParams(LINK.exec(headers.get('link') ?? '')?.[1]);
    expect([...query.keys()].toSorted()).toEqual(['cursor', 'include', 'limit', 'sort']);
    expect(query.get('cursor')).toMatch(/^[\w-]+$/);
  });

  it.each([
    ['one value', `tags=${'a,'.repeat(501)}`],
    ['many values', 'include=ens&'.repeat(400)],
    ['many empty values', 'include=&'.repeat(1_500)],
  ])('are not given for parameters that are too long for a header, with %s', async (_, parameters) => {
    const answer = await service.get(`/users/${ANN}/allFollowers?limit=2&${parameters}`);
    expect(expectProblem(answer, { status: 400, code: 'invalid-parameter' })).toMatch(
      /^the parameters must have at most 1000 characters together, got \d+$/,
    );
  });

  it('fit into a header for the longest parameters', async () => {
    const { status, headers } = await service.get(
      `/users/${ANN}/allFollowers?limit=2&include=${'%F0%9F%94%A5'.repeat(499)}`,
    );
    expect(status).toBe(200);
    expect(headers.get('link')).toMatch(LINK);
    expect(headers.get('link')?.length).toBeLessThan(10_000);
  });

  it('may be used with another limit, and by either spelling of a default', async () => {
    const first = `/users/${ANN}/followers?limit=2`;
    const cursor = cursorOf(nextOf(first, await service.get(first)));
    const rest = await service.get(`/users/${ANN}/followers?sort=latest&limit=100&cursor=${cursor}`);
    expect(addressesOf(rest)).toEqual(accounts.slice(2));
  });

  it.each([
    ['/discover', [0, `0x${'0'.repeat(40)}`], 0],
    ['/discover', [Number.MAX_SAFE_INTEGER, ANN], 10],
    ['/minters', ['0'], 0],
    ['/minters', ['9'.repeat(78)], 10],
  ])('are answered even if they are forged, for %s with the key %j', async (path, key, length) => {
    const answer = await service.get(`${path}?cursor=${forge(path, key)}`);
    expect([answer.status, entriesOf(answer).length]).toEqual([200, length]);
  });

  it('are sent by the list of all members if it has a limit, and are used without one', async () => {
    const whole = await service.get('/leaderboard/all');
    expect(whole.headers.get('link')).toBeNull();
    const page = await service.get('/leaderboard/all?limit=2');
    const rest = await service.get(`/leaderboard/all?cursor=${cursorOf(nextOf('', page))}`);
    expect([...addressesOf(page), ...addressesOf(rest)]).toEqual(addressesOf(whole));
    expect(addressesOf(whole)).toHaveLength(10);
  });
});
