import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transfer } from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { ANN, ANNS, annsList, BOB, bobsList, CAT, catsList, follow, logsOf, tag } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { expectProblem, NOW, Stage } from './support.ts';

const followers = `/users/${BOB}/followers`;
const notifications = `/users/${BOB}/notifications`;
const leaderboard = '/leaderboard/search';
const listFollowers = '/lists/2/followers';

const MAX_OFFSET = 2 ** 31 - 1;
const MAX_START = 2 ** 40;
/** What looks like a number to somebody but is none of ours. */
const ODD = ['', '-1', '%2B1', '+1', '1e2', '1.0', '%201', '1%20', '1%0A', '0x10', '1,000', 'ten', 'NaN', '%EF%BC%91'];

const NUMBERS = [
  { name: 'limit', paths: [followers, listFollowers, notifications, leaderboard], min: 1, max: 1000 },
  { name: 'offset', paths: [followers, listFollowers, notifications, leaderboard], min: 0, max: MAX_OFFSET },
  { name: 'start', paths: [notifications], min: 0, max: MAX_START },
  { name: 'opcode', paths: [notifications], min: 0, max: 4 },
];
const numberCases = NUMBERS.flatMap(({ paths, ...rest }) => paths.map((path) => ({ path, ...rest })));

const WORDS = [
  { name: 'sort', path: followers, takes: ['latest', 'earliest', 'followers'], odd: ['newest', 'latest,earliest'] },
  { name: 'sort', path: listFollowers, takes: ['latest', 'earliest', 'followers'], odd: ['top', 'constructor'] },
  { name: 'interval', path: notifications, takes: ['hour', 'day', 'week', 'month', 'all'], odd: ['year', '7d', '168'] },
];

const REPEATED = [
  ...numberCases.map(({ path, name }) => ({ path, name, value: '1' })),
  ...WORDS.map(({ path, name, takes }) => ({ path, name, value: takes[0] })),
  { path: followers, name: 'tags', value: 'top8' },
  { path: notifications, name: 'tag', value: 'top8' },
  { path: leaderboard, name: 'term', value: 'a' },
  ...[followers, listFollowers, notifications, leaderboard].map((path) => ({ path, name: 'cache', value: 'fresh' })),
];

const NO_ACCOUNTS: readonly [what: string, text: string][] = [
  ['nothing at all', ''],
  ['a name without a dot', 'ann'],
  ['a name with an empty label', 'ann..eth'],
  ['a name that ends with a dot', 'ann.eth.'],
  ['a name that begins with a dot', '.eth'],
  ['a name with a space', 'a%20nn.eth'],
  ['a name with a forbidden character', 'ann!.eth'],
  ['a name of mixed scripts', encodeURIComponent('аnn.eth')],
  ['a name with an underscore inside', 'an_n.eth'],
  ['a name with NUL', 'ann%00.eth'],
  ['a name beyond any length', `${'a'.repeat(2000)}.eth`],
  ['an address that is too short', BOB.slice(0, -1)],
  ['an address that is too long', `${BOB}b`],
  ['an address without its prefix', BOB.slice(2)],
  ['an address with a letter that is no digit', `${BOB.slice(0, -1)}g`],
  ['an address with a space before it', `%20${BOB}`],
  ['an address with a line end after it', `${BOB}%0A`],
];

const NO_LISTS = [
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

describe.each(engines)('a bad request on $name', (engine) => {
  const stage = new Stage(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await stage.open();
    const burned = [...catsList, transfer(CAT, ZERO_ADDRESS, 3n)];
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB), tag(ANNS, BOB, 'top8'), ...burned]));
    await loadProfiles(store, [{ address: BOB, name: 'bob.eth', avatar: '', fresh: 1 }]);
    await loadRanks(store, NOW * 1000);
    service = await stage.serve(store);
  });
  afterAll(() => stage.close());

  it.each(numberCases)('to $path takes $name from $min to $max', async ({ path, name, min, max }) => {
    for (const value of [min, max]) {
      expect({ value, status: (await service.get(`${path}?${name}=${value}`)).status }).toEqual({ value, status: 200 });
    }
    for (const value of [String(max + 1), ...(min > 0 ? [String(min - 1)] : []), '9'.repeat(40), ...ODD]) {
      const answer = await service.get(`${path}?${name}=${value}`);
      const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
      expect(detail).toMatch(new RegExp(`\\b${name}\\b.*\\b${min} to ${max}\\b`));
    }
  });

  it.each(WORDS)('to $path takes for $name one of $takes, in this letter case', async ({ path, name, takes, odd }) => {
    for (const value of takes) expect((await service.get(`${path}?${name}=${value}`)).status).toBe(200);
    const cased = takes.flatMap((word) => [word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1)]);
    for (const value of ['', `%20${takes[0]}`, ...odd, ...cased]) {
      const answer = await service.get(`${path}?${name}=${value}`);
      const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
      expect(detail).toMatch(new RegExp(`\\b${name}\\b.*${takes.join('.*')}`));
    }
  });

  it.each(REPEATED)('to $path with $name given twice is 400', async ({ path, name, value }) => {
    const answer = await service.get(`${path}?${name}=${value}&${name}=${value}`);
    const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
    expect(detail).toMatch(new RegExp(`^${name}\\b`));
  });

  it.each(NO_ACCOUNTS)('about %s is 400 and says what an account is', async (_, text) => {
    for (const what of USER_PATHS) {
      const answer = await service.get(`/users/${text}/${what}`);
      const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
      expect(detail).toMatch(/^addressOrENS\b.*\baddress\b.*\bname\b/);
    }
  });

  it.each(NO_LISTS)('about the list "%s" is 400 and says what a list is', async (list) => {
    for (const what of LIST_PATHS) {
      const answer = await service.get(`/lists/${list}/${what}`);
      const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
      expect(detail).toMatch(/^token_id\b.*\bdigits\b.*2\^256/);
    }
  });

  it.each([
    ['that was never minted', '999'],
    ['of the greatest number', String(2n ** 256n - 1n)],
    ['that is burned, though its slot still has a user', '3'],
  ])('about a list %s is 404', async (_, list) => {
    for (const what of LIST_PATHS) {
      const detail = expectProblem(await service.get(`/lists/${list}/${what}`), { status: 404, code: 'unknown-list' });
      expect(detail).toContain(list);
    }
  });

  it('about a name that nobody holds is 404', async () => {
    for (const what of USER_PATHS) {
      const answer = await service.get(`/users/nobody.eth/${what}`);
      expect(expectProblem(answer, { status: 404, code: 'unknown-name' })).toContain('nobody.eth');
    }
  });

  it('about an address that nobody knows is no bad request: the answer is empty', async () => {
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
    ['an upper-case prefix', `0X${BOB.slice(2).toUpperCase()}`],
    ['escaped letters', `0x%62${BOB.slice(3)}`],
    ['a name', 'bob.eth'],
    ['a name in another letter case', 'BoB.ETH'],
    ['a name in full width', encodeURIComponent('ｂob.eth')],
  ])('is not one that writes an account with %s', async (_, account) => {
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
  ])('is not one with the unknown parameter in ?%s, which is ignored', async (query) => {
    for (const path of [followers, notifications, leaderboard, '/lists/2/details', '/lists/2/badges']) {
      const { status, json } = await service.get(`${path}?${query}`);
      expect({ status, json }).toEqual({ status: 200, json: (await service.get(path)).json });
    }
  });

  it.each(['', 'FRESH', 'Fresh', '%20fresh', 'stale', 'no', '1'])(
    'is not one with cache=%s, which has no effect',
    async (word) => {
      const { json } = await service.get(followers);
      const asked = async () => service.get(`${followers}?cache=${word}`);
      expect(await asked()).toMatchObject({ status: 200, json });
      expect((await asked()).headers.get('x-cache')).toBe('HIT');
    },
  );
});
