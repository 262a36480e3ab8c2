import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noProfileRefresher } from '../../src/names/on-demand/profile-refresher.ts';
import type { Store } from '../../src/store/store.ts';
import {
  ANN,
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CAT,
  CATS,
  catsList,
  DAN,
  follow,
  logsOf,
  ownList,
  slotOf,
  tag,
} from '../model/small-history.ts';
import { dump } from '../support/dump.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { loadLogs, loadProfiles } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { expectProblem, ServiceFixture, send } from './support.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const NONE = { follow: false, block: false, mute: false };
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

describe.each(engines)('the lookups about many accounts on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeAll(async () => {
    store = await fixture.open();
    const records = [
      ...[follow(ANNS, BOB), tag(ANNS, BOB, 'top8'), tag(ANNS, BOB, 'gm'), follow(ANNS, DAN), follow(ANNS, ANN)],
      ...[follow(BOBS, ANN), tag(BOBS, ANN, 'mute'), follow(BOBS, CAT)],
      ...[follow(CATS, ANN), tag(CATS, ANN, 'block')],
    ];
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...catsList, ...records]));
    await loadProfiles(store, [{ address: BOB, name: 'bob.eth', avatar: 'https://bob.example/a.png', fresh: 1 }]);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const post = (path: string, body: unknown) =>
    service.get(path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
  const answerTo = async (path: string, body: unknown) => {
    const { status, json } = await post(path, body);
    expect(status).toBe(200);
    return json;
  };

  describe('POST /accounts', () => {
    const bob = {
      address: BOB,
      name: 'bob.eth',
      avatar: 'https://bob.example/a.png',
      followers_count: 1,
      following_count: 1,
      primary_list: '2',
    };
    const dan = { address: DAN, name: '', avatar: '', followers_count: 1, following_count: 0, primary_list: '' };

    it('has an element for each entry, in their order, and null for what is no account', async () => {
      expect(await answerTo('/accounts', [DAN, 'Bob.eth', null, 'nobody.eth', 'bob', BOB.toUpperCase(), BOB])).toEqual([
        dan,
        bob,
        null,
        null,
        null,
        bob,
        bob,
      ]);
    });

    it('has the counts of `stats` and the primary list of each account', async () => {
      for (const account of await answerTo('/accounts', [ANN, BOB, CAT, DAN, addressOf(1)])) {
        const path = `/users/${account.address}`;
        expect(account).toMatchObject((await service.get(`${path}/stats`)).json);
        expect(account).toMatchObject((await service.get(`${path}/primary-list`)).json);
      }
    });

    it.each(['ann', 'bob', 'bob.eth', 'dan'])('has the states of single requests with the viewer %s', async (who) => {
      const viewer = { ann: ANN, bob: BOB, dan: DAN }[who] ?? who;
      const accounts = [ANN, BOB, CAT, DAN, addressOf(1)];
      const answers = await answerTo(`/accounts?viewer=${viewer}`, accounts);
      for (const [i, account] of accounts.entries()) {
        const button = await service.get(`/users/${viewer}/${account}/buttonState`);
        const follower = await service.get(`/users/${viewer}/${account}/followerState`);
        expect(answers[i]).toMatchObject({ state: button.json.state, follower_state: follower.json.state });
      }
    });

    it('has both states of a viewer, and none without one', async () => {
      expect(await answerTo(`/accounts?viewer=${ANN}`, [BOB])).toEqual([
        { ...bob, state: { ...NONE, follow: true }, follower_state: { ...NONE, mute: true } },
      ]);
      expect(await answerTo('/accounts?viewer=', [BOB])).toEqual([bob]);
      expect(await answerTo(`/accounts?viewer=${ANN}`, [])).toEqual([]);
    });

    it('takes 1000 entries and no more', async () => {
      const entries = Array.from({ length: 1000 }, (_, i) => addressOf(i));
      const answer = await answerTo(`/accounts?viewer=${ANN}`, entries);
      expect(answer.map(({ address }: { address: string }) => address)).toEqual(entries);
      const detail = expectProblem(await post('/accounts', [...entries, null]), {
        status: 400,
        code: 'malformed-request',
      });
      expect(detail).toMatch(/\b1000\b.*\b1001\b/);
    });

    it('queues the profiles of the viewer and of accounts of the graph, and of no others', async () => {
      const queued: string[] = [];
      const profiles = { ...noProfileRefresher, queue: (account: string) => queued.push(account) };
      const { get } = await fixture.serve(store, { sources: { profiles } });
      const others = Array.from({ length: 990 }, (_, i) => addressOf(i));
      for (const query of ['', `?viewer=${ANN}`]) {
        const body = JSON.stringify([...others, BOB, 'bob.eth', DAN]);
        expect((await get(`/accounts${query}`, { method: 'POST', headers: JSON_TYPE, body })).status).toBe(200);
        expect(queued.splice(0).toSorted()).toEqual([...(query === '' ? [] : [ANN]), BOB, DAN].toSorted());
      }
    });

    it.each([
      ['a viewer that is no account', '?viewer=ann', 400, 'invalid-parameter', /viewer/],
      ['two viewers', `?viewer=${ANN}&viewer=${BOB}`, 400, 'invalid-parameter', /viewer/],
      ['a viewer that nobody holds', '?viewer=nobody.eth', 404, 'names-not-resolved', /nobody\.eth/],
    ])('returns a problem that names it for %s', async (_, query, status, code, detail) => {
      expect(expectProblem(await post(`/accounts${query}`, [BOB, 'bob.eth']), { status, code })).toMatch(detail);
    });
  });

  describe('POST /edges/among', () => {
    const annToBob = { source: ANN, target: BOB, relation: 'follow', tags: ['gm', 'top8'] };
    const bobToAnn = { source: BOB, target: ANN, relation: 'mute', tags: ['mute'] };
    const bobToCat = { source: BOB, target: CAT, relation: 'follow', tags: [] };
    const catToAnn = { source: CAT, target: ANN, relation: 'block', tags: ['block'] };

    it('has the edges whose two accounts are given, by source and target, and no record of the own account', async () => {
      expect(await answerTo('/edges/among', [CAT, ANN, BOB])).toEqual({
        accounts: [CAT, ANN, BOB],
        edges: [annToBob, bobToAnn, bobToCat, catToAnn],
      });
      expect((await answerTo('/edges/among', [ANN, BOB])).edges).toEqual([annToBob, bobToAnn]);
    });

    it('has the address of each entry, and edges once however often an account is given', async () => {
      expect(await answerTo('/edges/among', ['bob.eth', CAT, null, 'nobody.eth', BOB, addressOf(1)])).toEqual({
        accounts: [BOB, CAT, null, null, BOB, addressOf(1)],
        edges: [bobToCat],
      });
    });

    it('has no edges for no entries, and for one', async () => {
      expect(await answerTo('/edges/among', [])).toEqual({ accounts: [], edges: [] });
      expect(await answerTo('/edges/among', [ANN])).toEqual({ accounts: [ANN], edges: [] });
    });

    it('takes 200 entries and no more', async () => {
      const entries = Array.from({ length: 200 }, (_, i) => addressOf(i));
      expect((await answerTo('/edges/among', entries)).accounts).toEqual(entries);
      const answer = await post('/edges/among', [...entries, null]);
      expect(expectProblem(answer, { status: 400, code: 'malformed-request' })).toMatch(/\b200\b.*\b201\b/);
    });
  });

  it.each(['/accounts', '/edges/among'])('take a JSON array only: %s', async (path) => {
    for (const [body, reason] of [
      [{ accounts: [BOB] }, /array/],
      ['a', /array/],
      [[BOB, 7], /\b1\b.*string or null/],
    ] as const) {
      expect(expectProblem(await post(path, body), { status: 400, code: 'malformed-request' })).toMatch(reason);
    }
    const text = await service.get(path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '[]' });
    expectProblem(text, { status: 415, code: 'unsupported-media-type' });
    const long = await service.get(path, { method: 'POST', headers: JSON_TYPE, body: ' '.repeat(128 * 1024 + 1) });
    expectProblem(long, { status: 413, code: 'body-too-large' });
  });

  it.each(['/accounts', '/edges/among'])('are not cached and take POST only: %s', async (path) => {
    const { headers } = await post(path, [BOB]);
    expect([headers.get('cache-control'), headers.get('x-cache')]).toEqual(['no-store', null]);
    const get = await send(service.url, { path: `/api/v1${path}` });
    expect([get.status, get.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });

  it('change nothing in the database', async () => {
    const before = await dump(store);
    await answerTo('/accounts?viewer=bob.eth', [ANN, 'bob.eth', null]);
    await answerTo('/edges/among', [ANN, 'bob.eth', null]);
    expect(await dump(store)).toEqual(before);
  });
});

/** Enough that all edges among them are longer than a response that is held in memory. */
const CROWD = Array.from({ length: 64 }, (_, i): `0x${string}` => `0x${(i + 16).toString(16).repeat(20)}`);

describe.each(anyEngine)('the edges among accounts that all follow each other', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    const logs = CROWD.flatMap((account, i) => {
      const slot = slotOf(BigInt(i));
      const follows = CROWD.filter((other) => other !== account).map((other) => follow(slot, other));
      return [...ownList(account, BigInt(i), slot), ...follows];
    });
    await loadLogs(store, logsOf(logs));
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  it.each(['identity', 'gzip'])('of any length are sent with the content coding %s', async (coding) => {
    const response = await fetch(`${service.url}/api/v1/edges/among`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'accept-encoding': coding },
      body: JSON.stringify(CROWD),
    });
    const { headers, status } = response;
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('content-encoding')).toBe(coding === 'gzip' ? 'gzip' : null);
    // Safe: the schema of the response has these fields.
    const { accounts, edges } = (await response.json()) as { accounts: string[]; edges: { source: string }[] };
    expect(accounts).toEqual(CROWD);
    const expected = CROWD.toSorted().flatMap((source) =>
      CROWD.toSorted()
        .filter((target) => target !== source)
        .map((target) => ({ source, target, relation: 'follow', tags: [] })),
    );
    expect(edges).toEqual(expected);
  });
});
