import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FollowersBody } from '../../src/contract/lookup-schemas.ts';
import * as schemas from '../../src/contract/schemas.ts';
import { route } from '../../src/http/routes/route.ts';
import { ANN, ANNS, annsList, BOB, bobsList, CAT, catsList, follow, logsOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { BODIES, misfits, type Shape, typesOf } from './fields.ts';
import { asJson, looseObjects, typesOfSchema, withoutRareFields } from './json-schema.ts';
import { NOW, ServiceFixture, STAR } from './support.ts';

const ENDPOINTS: readonly { path: string; body: keyof typeof BODIES }[] = [
  { path: '/lists/:token_id/details', body: 'details' },
  { path: '/users/:addressOrENS/badges', body: 'badges' },
  { path: '/lists/:token_id/badges', body: 'badges' },
  { path: '/leaderboard/search', body: 'leaderboard' },
  { path: '/users/:addressOrENS/notifications', body: 'notifications' },
  { path: '/users/:addressOrENS/followers', body: 'followers' },
  { path: '/lists/:token_id/followers', body: 'followers' },
];

/** As without `include=ens`, and with at most 100 tags. */
const Follower = Type.Omit(FollowersBody.properties.followers.items, ['ens', 'more_tags'], {
  additionalProperties: false,
});

describe('response schemas', () => {
  const bodies = [
    ['details', schemas.AccountDetails],
    ['badges', schemas.BadgesBody],
    ['leaderboard', schemas.LeaderboardBody],
    ['notifications', schemas.NotificationsBody],
    ['followers', Type.Object({ followers: Type.Array(Follower) }, { additionalProperties: false })],
  ] as const;

  it.each(bodies)('have exactly the fields and types of the contract: %s', (body, schema) => {
    expect(typesOfSchema(withoutRareFields(asJson(schema)))).toEqual(typesOf(BODIES[body]));
  });

  it.each(bodies)('require every field and allow no other: %s', (_, schema) => {
    expect(looseObjects(withoutRareFields(asJson(schema)))).toEqual([]);
  });

  it('are the types of lookups: a field that a lookup does not return is a compile error', () => {
    const shared = { path: '/', summary: '', description: '', dependsOn: [], params: {}, query: {} } as const;
    const response = schemas.BadgesBody;
    const routes = [
      route({ ...shared, response, lookup: async () => ({ poaps: [] }) }),
      // @ts-expect-error: `poaps` is missing
      route({ ...shared, response, lookup: async () => ({}) }),
      // @ts-expect-error: `poaps` is no array
      route({ ...shared, response, lookup: async () => ({ poaps: '' }) }),
      // @ts-expect-error: it does not say what an answer depends on
      route({ ...shared, dependsOn: undefined, response, lookup: async () => ({ poaps: [] }) }),
    ];
    expect(routes.map((one) => one.response)).toEqual(routes.map(() => response));
  });
});

describe.each(engines)('responses on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  /** The whole leaderboard. */
  let board: { address: string; name: string }[];
  beforeAll(async () => {
    service = await fixture.serveDemo();
    board = (await service.get('/leaderboard/search?limit=1000')).json.results;
  });
  afterAll(() => fixture.close());

  const get = async (path: string) => {
    const { status, json } = await service.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return json;
  };

  it.each(ENDPOINTS)('have exactly the fields of the contract: $path', async ({ path, body }) => {
    const accounts = path.includes(':token_id')
      ? ['0', '1', STAR.list, '4', '5', '40', '41']
      : [STAR.name, STAR.address, ...board.slice(-4).map(({ address }) => address)];
    const paths = path.includes(':') ? accounts.map((account) => path.replace(/:\w+/, account)) : [path];
    for (const request of paths) {
      const json = await get(`${request}?${path.endsWith('notifications') ? 'interval=all&' : ''}limit=1000`);
      expect({ request, misfits: misfits(json, BODIES[body] as Shape) }).toEqual({ request, misfits: [] });
    }
  });

  it('list badges under the key poaps, one entry per event in order, held or not', async () => {
    const { poaps } = await get(`/users/${STAR.name}/badges`);
    const ids = poaps.map(({ eventId }: { eventId: string }) => eventId);
    expect(ids).toEqual(['177709', '178064', '178065', '178066', '183182']);
    for (const { eventId, participated, collection } of poaps) {
      expect(participated).toBe(collection !== null);
      if (participated) expect([String(collection.event.id), collection.owner]).toEqual([eventId, STAR.address]);
    }
    expect(new Set(poaps.map(({ participated }: { participated: boolean }) => participated)).size).toBe(2);
  });

  it('have the list of a follower as svc_list_nft_token_id', async () => {
    const { followers } = await get(`/users/${STAR.address}/followers?limit=3`);
    expect(followers).toHaveLength(3);
    for (const { svc_list_nft_token_id: list, address } of followers) {
      expect((await get(`/lists/${list}/details`)).address).toBe(address);
    }
  });

  it('leave out only those followers of a list that its account blocks or mutes', async () => {
    const isHidden = (one: { is_blocked: boolean; is_muted: boolean }) => one.is_blocked || one.is_muted;
    let hidden = 0;
    for (let list = 0; list < 100; list += 1) {
      const details = await service.get(`/lists/${list}/details`);
      if (details.status !== 200) continue;
      const all = (await get(`/users/${details.json.address}/followers?limit=1000`)).followers;
      const shown = (await get(`/lists/${list}/followers?limit=1000`)).followers;
      expect(shown).toEqual(all.filter((one: Parameters<typeof isHidden>[0]) => !isHidden(one)));
      hidden += all.length - shown.length;
    }
    expect(hidden).toBeGreaterThan(0);
  });

  it('have the records avatar, description, header and name for every account', async () => {
    for (const list of ['0', STAR.list, '5']) {
      const { ens } = await get(`/lists/${list}/details`);
      expect(Object.keys(ens.records)).toEqual(expect.arrayContaining(['avatar', 'description', 'header', 'name']));
    }
  });

  it('have the same time in every leaderboard entry as in last_updated', async () => {
    const { last_updated, results } = await get('/leaderboard/search?limit=20');
    expect(last_updated).toBe(new Date(NOW * 1000).toISOString());
    expect(new Set(results.map(({ updated_at }: { updated_at: string }) => updated_at))).toEqual(
      new Set([last_updated]),
    );
  });

  it('have 10 followers, 10 notifications or 50 leaderboard entries by default', async () => {
    expect((await get(`/users/${STAR.name}/followers`)).followers).toHaveLength(10);
    expect((await get(`/lists/${STAR.list}/followers`)).followers).toHaveLength(10);
    expect((await get(`/users/${STAR.name}/notifications?interval=all`)).notifications).toHaveLength(10);
    expect((await get('/leaderboard/search')).results).toHaveLength(50);
  });

  it.each([
    ['', '168:00:00(hrs)'],
    ['?interval=hour', '1:00:00(hrs)'],
    ['?interval=day', '24:00:00(hrs)'],
    ['?interval=week', '168:00:00(hrs)'],
    ['?interval=month', '720:00:00(hrs)'],
    ['?interval=all', '999:00:00(hrs)'],
  ])('to notifications%s have the interval %s', async (query, interval) => {
    expect((await get(`/users/${STAR.name}/notifications${query}`)).summary.interval).toBe(interval);
  });

  it.each([0, 1, 2, 3, 4])('to notifications with opcode=%i have the totals of their page', async (opcode) => {
    const kinds = ['follow', 'unfollow', 'tag', 'untag'];
    for (const page of ['limit=1000', 'limit=7&offset=5', 'limit=1', 'offset=100000']) {
      const json = await get(`/users/${STAR.name}/notifications?interval=all&opcode=${opcode}&${page}`);
      const notifications: { opcode: number; action: string; tag: string; op: string }[] = json.notifications;
      if (page === 'limit=1000') expect(notifications.length).toBeGreaterThan(0);
      const count = (code: number) => notifications.filter((one) => one.opcode === code).length;
      const [total_follows, total_unfollows, total_tags, total_untags] = [1, 2, 3, 4].map(count);
      expect(json.summary).toEqual({
        interval: '999:00:00(hrs)',
        opcode: opcode === 0 ? 'all' : String(opcode),
        total: notifications.length,
        ...{ total_follows, total_unfollows, total_tags, total_untags },
      });
      for (const one of notifications) {
        if (opcode !== 0) expect(one.opcode).toBe(opcode);
        expect(one.action).toBe(kinds[one.opcode - 1]);
        expect(one.op.slice(0, 6)).toBe(`0x010${one.opcode}`);
        expect(one.tag === '').toBe(one.opcode < 3);
      }
    }
  });

  it('to notifications with a tag and opcode=2 are an empty page', async () => {
    const tagged = await get(`/users/${STAR.name}/notifications?interval=all&tag=top8`);
    expect(tagged.summary.total).toBeGreaterThan(0);
    const { summary, notifications } = await get(`/users/${STAR.name}/notifications?interval=all&tag=top8&opcode=2`);
    expect(notifications).toEqual([]);
    const none = { total: 0, total_follows: 0, total_unfollows: 0, total_tags: 0, total_untags: 0 };
    expect(summary).toEqual({ interval: '999:00:00(hrs)', opcode: '2', ...none });
  });
});

describe.each(engines)('list details on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...catsList, follow(ANNS, BOB)]));
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  it('have an empty profile with the shortened address for an account without a profile', async () => {
    expect((await service.get('/lists/0/details')).json.ens).toEqual({
      name: '',
      avatar: '',
      header: '',
      display: `${ANN.slice(0, 6)}…${ANN.slice(-4)}`,
      records: { avatar: '', description: '', header: '', name: '' },
      chains: {},
      fresh: 0,
      updated_at: '',
      resolver: '',
      errors: {},
    });
  });

  it('have the rank "0" in every measure for an account that is not on the leaderboard', async () => {
    const { address, ranks, primary_list } = (await service.get('/lists/3/details')).json;
    const zeros = { mutuals_rank: '0', followers_rank: '0', following_rank: '0', top8_rank: '0', blocks_rank: '0' };
    expect({ address, ranks, primary_list }).toEqual({ address: CAT, ranks: zeros, primary_list: '3' });
  });

  it('have a rank in every measure for an account with one count above zero', async () => {
    const { ranks } = (await service.get('/lists/0/details')).json;
    expect(ranks).toEqual({
      mutuals_rank: '1',
      followers_rank: '2',
      following_rank: '1',
      top8_rank: '1',
      blocks_rank: '1',
    });
  });
});
