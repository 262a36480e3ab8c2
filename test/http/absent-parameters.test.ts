import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, CAT, follow, logsOf, tag } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { expectProblem, NOW, ServiceFixture } from './support.ts';

const PAGES = [
  `/users/${BOB}/followers`,
  '/lists/2/followers',
  `/users/${BOB}/allFollowers`,
  `/users/${ANN}/following`,
  '/lists/0/following',
  '/lists/0/allFollowing',
];
const SORTED = [...PAGES, '/leaderboard/ranked'];

/** Each path with the parameters that it takes, all of them optional. */
const EMPTY = [
  ...PAGES.map((path) => ({ path, names: ['limit', 'offset', 'tags', 'sort', 'include', 'cache'] })),
  { path: `/users/${BOB}/notifications`, names: ['opcode', 'interval', 'start', 'tag', 'limit', 'offset', 'cache'] },
  { path: '/leaderboard/search', names: ['term', 'limit', 'offset'] },
  { path: '/leaderboard/ranked', names: ['sort', 'direction', 'limit', 'offset'] },
  { path: `/users/${BOB}/latestFollowers`, names: ['limit', 'offset'] },
  { path: `/users/${BOB}/searchFollowers`, names: ['term', 'limit', 'offset'] },
  { path: `/users/${ANN}/commonFollowers?leader=${CAT}`, names: ['limit', 'offset'] },
  { path: `/users/${ANN}/commonFollowers`, names: ['leader', 'limit', 'offset'] },
  { path: `/users/${ANN}/recommended`, names: ['limit', 'offset', 'seed'] },
  { path: '/discover', names: ['limit', 'offset'] },
  { path: '/lists/0/stats', names: ['live'] },
];

describe.each(anyEngine)('absent parameters', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  let now = NOW * 1000;
  beforeAll(async () => {
    const store = await fixture.open();
    const follows = [follow(ANNS, BOB), tag(ANNS, BOB, 'top8'), follow(ANNS, CAT), follow(BOBS, CAT)];
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...follows]));
    await loadProfiles(store, [{ address: ANN, name: 'ann.eth', avatar: '', fresh: 1 }]);
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store, { now: () => now });
  });
  afterAll(() => fixture.close());

  const addQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

  it.each(EMPTY)('may be sent with an empty value: $path', async ({ path, names }) => {
    const { status, text } = await service.get(path);
    expect(status).toBe(200);
    for (const query of [...names.map((name) => `${name}=`), names.map((name) => `${name}=`).join('&'), names[0]]) {
      const answer = await service.get(addQuery(path, String(query)));
      expect({ query, status: answer.status, text: answer.text }).toEqual({ query, status: 200, text });
    }
  });

  it.each(SORTED.flatMap((path) => ['undefined', 'null'].map((word) => ({ path, word }))))(
    'may be sent as sort=$word: $path',
    async ({ path, word }) => {
      expect((await service.get(`${path}?sort=${word}`)).text).toBe((await service.get(path)).text);
    },
  );

  it.each(['undefined', 'null'])('may be sent as direction=%s or interval=%s', async (word) => {
    for (const [path, name] of [
      ['/leaderboard/ranked', 'direction'],
      [`/users/${BOB}/notifications`, 'interval'],
    ]) {
      expect((await service.get(`${path}?${name}=${word}`)).text).toBe((await service.get(`${path}`)).text);
    }
  });

  it.each(['undefined', 'null'])('are not meant by the word %s as a number', async (word) => {
    for (const name of ['limit', 'offset']) {
      const answer = await service.get(`/users/${BOB}/followers?${name}=${word}`);
      expectProblem(answer, { status: 400, code: 'invalid-parameter' });
    }
  });

  it('are not meant by the word null as a term or a tag', async () => {
    expect((await service.get('/leaderboard/search?term=null')).json.results).toEqual([]);
    expect((await service.get(`/users/${BOB}/followers?tags=null`)).json.followers).toEqual([]);
  });

  it('may not be empty twice', async () => {
    const answer = await service.get(`/users/${BOB}/followers?tags=&tags=`);
    expect(expectProblem(answer, { status: 400, code: 'invalid-parameter' })).toMatch(/^tags\b/);
  });

  it('make notifications depend on the clock: start= is cached for one second, as without start', async () => {
    const path = `/users/${BOB}/notifications?interval=all&start=`;
    const state = async () => (await service.get(path)).headers.get('x-cache');
    expect(await state()).toBe('MISS');
    now += 999;
    expect(await state()).toBe('HIT');
    now += 1;
    expect(await state()).toBe('MISS');
  });
});
