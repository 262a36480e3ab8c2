import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { BATCH_ACCOUNT, BATCH_STATE, CLIENT_ROUTES, EDGES_AMONG, fillPath, HOPS } from './client-routes.ts';
import { misfits, type Shape } from './fields.ts';
import { ServiceFixture, STAR } from './support.ts';

interface Member {
  readonly address: string;
  readonly name: string;
}

describe.each(engines)('responses to clients on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  /** The first members of the leaderboard and the last ones. */
  let members: Member[];
  beforeAll(async () => {
    service = await fixture.serveDemo();
    const { results } = (await service.get('/leaderboard/search?limit=1000')).json;
    members = [...results.slice(0, 3), ...results.slice(-2)];
  });
  afterAll(() => fixture.close());

  const get = async (path: string) => {
    const { status, json } = await service.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return json;
  };

  const expectShape = async (request: string, shape: Shape) => {
    const json = await get(request);
    expect({ request, misfits: misfits(json, shape) }).toEqual({ request, misfits: [] });
  };

  it.each(CLIENT_ROUTES)(
    'have exactly the documented fields: $path',
    async ({ path, query, body, bodyWithEns, required = '' }) => {
      const searches = query.includes('term');
      const parameters = `${new URLSearchParams({ limit: '1000', leader: STAR.address, term: 'a' })}&${required}`;
      const lists = ['0', '1', STAR.list, '5', '41'];
      const accounts = [STAR.name, STAR.address, ...members.map(({ address }) => address)];
      const requests = (path.includes(':token_id') ? lists : accounts).map((subject) =>
        fillPath(path, { account: subject, other: members[1]?.address ?? '', list: subject }),
      );
      for (const request of new Set(requests)) {
        await expectShape(`${request}?${parameters}`, searches ? (bodyWithEns ?? body) : body);
        if (query.includes('include')) await expectShape(`${request}?${parameters}&include=ens`, bodyWithEns ?? body);
      }
    },
  );

  it.each([
    [`/users/${STAR.name}/following`, 'following'],
    [`/users/${STAR.name}/allFollowers`, 'followers'],
    [`/users/${STAR.name}/searchFollowers?term=e`, 'followers'],
    [`/lists/${STAR.list}/searchFollowing?term=e`, 'following'],
    [`/users/${STAR.name}/recommended`, 'recommended'],
    [`/users/${STAR.name}/recommended/details`, 'recommended'],
    ['/discover', 'latestFollows'],
  ])('have 10 entries by default: %s', async (path, key) => {
    expect((await get(path))[key]).toHaveLength(10);
  });

  it('to /leaderboard/ranked have 50 entries by default', async () => {
    expect((await get('/leaderboard/ranked')).results).toHaveLength(50);
  });

  it('to /stats have the four numbers in this order', async () => {
    const { stats } = await get('/stats');
    expect(Object.keys(stats)).toEqual(['address_count', 'list_count', 'list_op_count', 'user_count']);
    expect(Object.values(stats)).not.toContain('0');
  });

  it.each([
    [`/accounts?viewer=${STAR.name}`, [BATCH_ACCOUNT]],
    ['/edges/among', EDGES_AMONG],
    [`/users/${STAR.name}/hops`, HOPS],
  ] as const)('to POST %s have exactly the documented fields', async (path, shape) => {
    const body = JSON.stringify([...members.map(({ address }) => address), STAR.name]);
    const headers = { 'content-type': 'application/json' };
    const { status, json } = await service.get(path, { method: 'POST', headers, body });
    expect([status, misfits(json, shape)]).toEqual([200, []]);
  });

  it('to a batch of states have exactly the documented fields', async () => {
    const body = JSON.stringify([members[0]?.address, STAR.name, 'nobody.eth', 'nothing', null]);
    const { status, json } = await service.get(`/lists/${STAR.list}/buttonStateBatch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([status, json.length]).toEqual([200, 5]);
    expect(misfits(json, [BATCH_STATE])).toEqual([]);
  });
});
