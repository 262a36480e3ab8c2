import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transfer } from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { ANN, ANNS, annsList, BOB, bobsList, CAT, catsList, follow, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { CLIENT_ROUTES, fillPath } from './client-routes.ts';
import { expectProblem, NOW, ServiceFixture } from './support.ts';

const UNKNOWN_LISTS = ['999', String(2n ** 256n - 1n)];
const BURNED_LIST = '3';
const BAD_LISTS = ['-1', '1.0', '0x1', 'abc', '%201', String(2n ** 256n)];
const BAD_ACCOUNTS = ['ann', 'ann..eth', 'a%20nn.eth', BOB.slice(0, -1), `${BOB}b`];

const requiredOf = (path: string) => CLIENT_ROUTES.find((route) => route.path === path)?.required ?? '';
const withParameter = (name: string) => CLIENT_ROUTES.filter(({ path }) => path.includes(name));

describe.each(anyEngine)('parameter validation of the client lookups', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    const burned = [...catsList, transfer(CAT, ZERO_ADDRESS, BigInt(BURNED_LIST))];
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB), ...burned]));
    await loadProfiles(store, [{ address: BOB, name: 'bob.eth', avatar: '', fresh: 1 }]);
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const get = (
    path: string,
    { account = ANN, other = BOB, list = '0' }: { account?: string; other?: string; list?: string },
  ) => service.get(`${fillPath(path, { account, other, list })}?leader=${BOB}&term=b&${requiredOf(path)}`);

  it.each(CLIENT_ROUTES)('accepts addresses, names and lists that exist: $path', async ({ path }) => {
    expect((await get(path, {})).status).toBe(200);
    expect((await get(path, { account: 'bob.eth', other: 'BOB.eth', list: '2' })).status).toBe(200);
  });

  it.each(withParameter(':token_id'))('returns 404 for an unknown or a burned list: $path', async ({ path }) => {
    for (const list of [...UNKNOWN_LISTS, BURNED_LIST]) {
      const detail = expectProblem(await get(path, { list }), { status: 404, code: 'unknown-list' });
      expect(detail).toContain(list);
    }
  });

  it.each(withParameter(':token_id'))('returns 400 for a text that is no token id: $path', async ({ path }) => {
    for (const list of BAD_LISTS) {
      const detail = expectProblem(await get(path, { list }), { status: 400, code: 'invalid-parameter' });
      expect(detail).toMatch(/^token_id\b.*\bdigits\b.*2\^256/);
    }
  });

  it.each(withParameter('/users/:addressOrENS'))(
    'returns 404 for a name that no account has: $path',
    async ({ path }) => {
      const detail = expectProblem(await get(path, { account: 'nobody.eth' }), {
        status: 404,
        code: 'names-not-resolved',
      });
      expect(detail).toContain('nobody.eth');
    },
  );

  it.each(withParameter('/users/:addressOrENS'))('returns 400 for what is no account: $path', async ({ path }) => {
    for (const account of BAD_ACCOUNTS) {
      const detail = expectProblem(await get(path, { account }), { status: 400, code: 'invalid-parameter' });
      expect(detail).toMatch(/^addressOrENS\b.*\baddress\b.*\bname\b/);
    }
  });

  it.each(CLIENT_ROUTES.filter(({ path }) => /(State|relationship)$/.test(path)))(
    'checks the other account of a pair in the same way: $path',
    async ({ path }) => {
      for (const other of BAD_ACCOUNTS) {
        const detail = expectProblem(await get(path, { other }), { status: 400, code: 'invalid-parameter' });
        expect(detail).toMatch(/^addressOrENS2?\b/);
      }
      const detail = expectProblem(await get(path, { other: 'nobody.eth' }), {
        status: 404,
        code: 'names-not-resolved',
      });
      expect(detail).toContain('nobody.eth');
    },
  );

  it.each(CLIENT_ROUTES.filter(({ query }) => query.includes('limit')))(
    'accepts a limit from 1 and an offset below 2^31: $path',
    async ({ path }) => {
      const filled = fillPath(path, { account: ANN, other: BOB, list: '0' });
      const statusOf = async (page: string) =>
        (await service.get(`${filled}?leader=${BOB}&term=b&${requiredOf(path)}&${page}`)).status;
      for (const page of ['limit=1', 'limit=1001', 'limit=1000000', 'offset=0', 'offset=2147483647'])
        expect(await statusOf(page)).toBe(200);
      for (const page of ['limit=0', 'limit=-1', 'limit=x', 'offset=-1', 'offset=2147483648']) {
        expect([page, await statusOf(page)]).toEqual([page, 400]);
      }
    },
  );

  const common = (query: string) => service.get(`/users/${ANN}/commonFollowers?limit=5${query}`);

  it.each(['', '&leader='])('takes the account for the leader of commonFollowers with "%s"', async (query) => {
    expect((await common(query)).json).toEqual((await common(`&leader=${ANN}`)).json);
  });

  it.each(['&leader=ann', '&leader=a..eth', '&leader=0x12', '&leader=bob.eth&leader=bob.eth'])(
    'returns 400 that names the leader for commonFollowers with "%s"',
    async (query) => {
      const detail = expectProblem(await common(query), { status: 400, code: 'invalid-parameter' });
      expect(detail).toMatch(/^leader must be an address\b.*\bname\b/);
    },
  );

  it('returns 404 for a leader whose name no account has', async () => {
    const answer = await common('&leader=nobody.eth');
    expect(expectProblem(answer, { status: 404, code: 'names-not-resolved' })).toContain('nobody.eth');
  });

  it('returns empty answers for an unknown address', async () => {
    const address = `0x${'1'.repeat(40)}`;
    const answerTo = async (what: string) => (await service.get(`/users/${address}/${what}`)).json;
    expect(await answerTo('primary-list')).toEqual({ primary_list: '' });
    expect(await answerTo('lists')).toEqual({ primary_list: '', lists: [] });
    expect(await answerTo('stats')).toEqual({ followers_count: 0, following_count: 0 });
    expect(await answerTo('following')).toEqual({ following: [] });
    expect(await answerTo('allFollowers')).toEqual({ followers: [] });
    expect(await answerTo('tags')).toEqual({ address, tags: [], tagCounts: [], taggedAddresses: [] });
    expect(await answerTo(`commonFollowers?leader=${BOB}`)).toEqual({ results: [], length: 0 });
    const state = { follow: false, block: false, mute: false };
    expect(await answerTo(`${BOB}/buttonState`)).toEqual({ token_id: '', address: BOB, state });
    expect(await answerTo(`${BOB}/followerState`)).toEqual({ addressUser: address, addressFollower: BOB, state });
  });

  it.each([
    '/slots/x/0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33/0x1/details',
    '/slots/0x2105/0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33/0x1/details',
    '/slots/8453/0x41aa/0x1/details',
    '/slots/8453/0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33/1/details',
    '/slots/8453/0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33/0x/details',
    `/slots/8453/0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33/0x${'0'.repeat(65)}/details`,
    `/users/${ANN}/relationships?tag=top8`,
    `/users/${ANN}/relationships?direction=in`,
    `/users/${ANN}/relationships?tag=%20&direction=in`,
    `/users/${ANN}/relationships?tag=top8&direction=both`,
    '/lists/0/records?includeTags=1',
    '/leaderboard/all?limit=0',
  ])('returns 400 for %s', async (path) => {
    expectProblem(await service.get(path), { status: 400, code: 'invalid-parameter' });
  });

  it('returns 404 for a slot that no list points at', async () => {
    const path = '/slots/8453/0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33/0xfffff/details';
    expectProblem(await service.get(path), { status: 404, code: 'unknown-list' });
  });
});
