import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transfer } from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { ANN, ANNS, annsList, BOB, bobsList, CAT, catsList, follow, logsOf, tag } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { expectProblem, NOW, ServiceFixture } from './support.ts';

const followers = `/users/${BOB}/followers`;
const notifications = `/users/${BOB}/notifications`;
const leaderboard = '/leaderboard/search';
const listFollowers = '/lists/2/followers';

const MAX_OFFSET = 2 ** 31 - 1;
const MAX_START = 2 ** 40;
/** Number formats that some parsers accept and this API does not. */
const NON_INTEGERS = [
  '-1',
  '%2B1',
  '+1',
  '1e2',
  '1.0',
  '%201',
  '1%20',
  '1%0A',
  '0x10',
  '1,000',
  'ten',
  'NaN',
  '%EF%BC%91',
];

const NUMBERS = [
  {
    name: 'limit',
    paths: [followers, listFollowers, notifications, leaderboard],
    min: 1,
    max: Number.POSITIVE_INFINITY,
  },
  { name: 'offset', paths: [followers, listFollowers, notifications, leaderboard], min: 0, max: MAX_OFFSET },
  { name: 'start', paths: [notifications], min: 0, max: MAX_START },
  { name: 'opcode', paths: [notifications], min: 0, max: 4 },
];
const numberCases = NUMBERS.flatMap(({ paths, ...rest }) => paths.map((path) => ({ path, ...rest })));

const ENUMS = [
  {
    name: 'sort',
    path: followers,
    allowed: ['latest', 'earliest', 'followers'],
    invalid: ['newest', 'latest,earliest'],
  },
  { name: 'sort', path: listFollowers, allowed: ['latest', 'earliest', 'followers'], invalid: ['top', 'constructor'] },
  {
    name: 'interval',
    path: notifications,
    allowed: ['hour', 'day', 'week', 'month', 'all'],
    invalid: ['year', '7d', '168'],
  },
];

const REPEATED = [
  ...numberCases.map(({ path, name }) => ({ path, name, value: '1' })),
  ...ENUMS.map(({ path, name, allowed }) => ({ path, name, value: allowed[0] })),
  { path: followers, name: 'tags', value: 'top8' },
  { path: notifications, name: 'tag', value: 'top8' },
  { path: leaderboard, name: 'term', value: 'a' },
  ...[followers, listFollowers, notifications, leaderboard].map((path) => ({ path, name: 'cache', value: 'fresh' })),
];

const INVALID_ACCOUNTS: readonly [description: string, text: string][] = [
  ['an empty string', ''],
  ['a name without a dot', 'ann'],
  ['a name with an empty label', 'ann..eth'],
  ['a name with a trailing dot', 'ann.eth.'],
  ['a name with a leading dot', '.eth'],
  ['a name with a space', 'a%20nn.eth'],
  ['a name with a forbidden character', 'ann!.eth'],
  ['a name of mixed scripts', encodeURIComponent('аnn.eth')],
  ['a name with an underscore inside', 'an_n.eth'],
  ['a name with a NUL character', 'ann%00.eth'],
  ['a name of 2000 characters', `${'a'.repeat(2000)}.eth`],
  ['an address that is too short', BOB.slice(0, -1)],
  ['an address that is too long', `${BOB}b`],
  ['an address without its prefix', BOB.slice(2)],
  ['an address with a character that is not a hex digit', `${BOB.slice(0, -1)}g`],
  ['an address after a space', `%20${BOB}`],
  ['an address before a line feed', `${BOB}%0A`],
];

const INVALID_LISTS = [
  '-1',
  '%2B1',
  '1.0',
  '1e3',
  '0x1',
  'abc',
  '%201',
  '1%0A',
  '',
  '%D9%A3',
  String(2n ** 256n),
  '9'.repeat(99),
];
const LIST_PATHS = ['details', 'badges', 'followers'];
const USER_PATHS = ['badges', 'notifications', 'followers'];

describe.each(anyEngine)('parameter validation', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    const burned = [...catsList, transfer(CAT, ZERO_ADDRESS, 3n)];
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB), tag(ANNS, BOB, 'top8'), ...burned]));
    await loadProfiles(store, [{ address: BOB, name: 'bob.eth', avatar: '', fresh: 1 }]);
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  it.each(numberCases)(
    'accepts $name from $min to $max on $path and returns 400 for anything else',
    async ({ path, name, min, max }) => {
      const isBounded = max < Number.POSITIVE_INFINITY;
      const above = isBounded ? [String(max + 1), '9'.repeat(40)] : [];
      for (const value of [min, ...(isBounded ? [max] : [1001, '9'.repeat(40)])]) {
        expect({ value, status: (await service.get(`${path}?${name}=${value}`)).status }).toEqual({
          value,
          status: 200,
        });
      }
      for (const value of [...above, ...(min > 0 ? [String(min - 1)] : []), ...NON_INTEGERS]) {
        const answer = await service.get(`${path}?${name}=${value}`);
        const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
        expect(detail).toMatch(new RegExp(`\\b${name}\\b.*\\b${min}${isBounded ? ` to ${max}` : ''}\\b`));
      }
    },
  );

  it.each(ENUMS)(
    'accepts $allowed for $name on $path in any letter case, and returns 400 for anything else',
    async ({ path, name, allowed, invalid }) => {
      for (const word of allowed) {
        const answer = await service.get(`${path}?${name}=${word}`);
        expect(answer.status).toBe(200);
        for (const value of [word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1)]) {
          expect((await service.get(`${path}?${name}=${value}`)).text).toBe(answer.text);
        }
      }
      for (const value of [`%20${allowed[0]}`, ...invalid]) {
        const answer = await service.get(`${path}?${name}=${value}`);
        const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
        expect(detail).toMatch(new RegExp(`\\b${name}\\b.*${allowed.join('.*')}`));
      }
    },
  );

  it.each(REPEATED)('returns 400 for $path with $name given twice', async ({ path, name, value }) => {
    const answer = await service.get(`${path}?${name}=${value}&${name}=${value}`);
    const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
    expect(detail).toMatch(new RegExp(`^${name}\\b`));
  });

  it.each(INVALID_ACCOUNTS)('returns 400 for an account that is %s and describes valid accounts', async (_, text) => {
    for (const what of USER_PATHS) {
      const answer = await service.get(`/users/${text}/${what}`);
      const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
      expect(detail).toMatch(/^addressOrENS\b.*\baddress\b.*\bname\b/);
    }
  });

  it.each(INVALID_LISTS)('returns 400 for the list "%s" and describes valid lists', async (list) => {
    for (const what of LIST_PATHS) {
      const answer = await service.get(`/lists/${list}/${what}`);
      const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
      expect(detail).toMatch(/^token_id\b.*\bdigits\b.*2\^256/);
    }
  });

  it.each([
    ['that was never minted', '999'],
    ['with the maximum token id', String(2n ** 256n - 1n)],
    ['that was burned though its slot has a user', '3'],
  ])('returns 404 for a list %s', async (_, list) => {
    for (const what of LIST_PATHS) {
      const detail = expectProblem(await service.get(`/lists/${list}/${what}`), { status: 404, code: 'unknown-list' });
      expect(detail).toContain(list);
    }
  });

  it('returns 404 for a name that no account has', async () => {
    for (const what of USER_PATHS) {
      const answer = await service.get(`/users/nobody.eth/${what}`);
      expect(expectProblem(answer, { status: 404, code: 'names-not-resolved' })).toContain('nobody.eth');
    }
  });

  it('returns empty results for an unknown address', async () => {
    const get = async (what: string) => (await service.get(`/users/0x${'1'.repeat(40)}/${what}`)).json;
    expect(await get('followers')).toEqual({ followers: [] });
    const { summary, notifications: received } = await get('notifications?interval=all');
    expect([summary.total, received]).toEqual([0, []]);
    const { poaps } = await get('badges');
    expect(poaps).toHaveLength(5);
    for (const badge of poaps) expect(badge).toMatchObject({ participated: false, collection: null });
  });

  it.each([
    ['upper-case letters', `0x${BOB.slice(2).toUpperCase()}`],
    ['letters of both cases', `0xBb${BOB.slice(4)}`],
    ['an upper-case 0X prefix', `0X${BOB.slice(2).toUpperCase()}`],
    ['percent-encoded characters', `0x%62${BOB.slice(3)}`],
    ['a name', 'bob.eth'],
    ['a name in another letter case', 'BoB.ETH'],
    ['a name with full-width characters', encodeURIComponent('ｂob.eth')],
  ])('accepts an account written with %s', async (_, account) => {
    for (const what of ['followers', 'notifications?interval=all', 'badges']) {
      const { status, json } = await service.get(`/users/${account}/${what}`);
      expect({ status, json }).toEqual({ status: 200, json: (await service.get(`/users/${BOB}/${what}`)).json });
    }
    const [follower] = (await service.get(`/users/${account}/followers`)).json.followers;
    expect(follower.address).toBe(ANN);
  });

  it.each([
    'limit[]=0',
    'Limit=0',
    'page=-1',
    '__proto__=1',
    'constructor=1&toString=1',
    'a=1&a=2',
    '=',
    '&&&',
    '%FF=%FF',
  ])('ignores the unknown parameters in ?%s', async (query) => {
    for (const path of [followers, notifications, leaderboard, '/lists/2/details', '/lists/2/badges']) {
      const { status, json } = await service.get(`${path}?${query}`);
      expect({ status, json }).toEqual({ status: 200, json: (await service.get(path)).json });
    }
  });

  it.each(['', 'FRESH', 'Fresh', '%20fresh', 'stale', 'no', '1'])('ignores cache=%s', async (word) => {
    const { json } = await service.get(followers);
    const request = async () => service.get(`${followers}?cache=${word}`);
    expect(await request()).toMatchObject({ status: 200, json });
    expect((await request()).headers.get('x-cache')).toBe('HIT');
  });

  it.each([
    ['?limit=0', 'limit must be an integer from 1, got "0"'],
    ['?offset=-1', 'offset must be an integer from 0 to 2147483647, got "-1"'],
    ['?limit=1&limit=2', 'limit must be an integer from 1, got 2 values'],
    ['?sort=newest', 'sort must be one of latest, earliest, followers, got "newest"'],
  ])('names the parameter, what it accepts and the invalid value for %s', async (query, detail) => {
    expect((await service.get(followers + query)).json.detail).toBe(detail);
  });

  it('repeats at most 100 characters of an invalid value', async () => {
    const { json } = await service.get(`${followers}?offset=${'9'.repeat(500)}`);
    expect(json.detail.length).toBeLessThan(160);
  });
});
