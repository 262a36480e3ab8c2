import { beforeAll, describe, expect, it } from 'vitest';
import { forbidden, held, notHeld } from '../badges/fake-poap.ts';
import { createTcpProxy } from '../http/tcp-proxy.ts';
import { ANN, BOB, CAT, DAN } from '../model/small-history.ts';
import { setAddr } from '../names/ens/ens-node.ts';
import { type FakeEnsNode, startFakeEnsNode } from '../names/ens/fake-ens-node.ts';
import { waitFor } from '../support/wait-for.ts';
import {
  EVENTS,
  expectNoSecrets,
  expectUnavailable,
  type Kith,
  listOf,
  poapEnv,
  SECRETS,
  useLiveSources,
  withSecrets,
} from './live-sources-support.ts';
import { spawnKith } from './run-kith.ts';

const FRESH = '?cache=fresh';
const detailsOf = (list: number) => `/lists/${list}/details`;
const badgesOf = (account: string) => `/users/${account}/badges`;
const ensOf = async (kith: Kith, list: number, query = '') => (await kith.get(`${detailsOf(list)}${query}`)).json.ens;

const live = useLiveSources();

describe('kith start with RPC_URL_1 and POAP_API_KEY', () => {
  let kith: Kith;
  /** A second process on the same database, without CCIP-read. */
  let other: Kith;

  beforeAll(async () => {
    const env = { ...live.services.live, DATABASE_URL: await live.createDatabase('sqlite') };
    const indexing = { POLL_INTERVAL_MS: '50', RANKS_INTERVAL_MS: '100', START_BLOCK_1: '0' };
    kith = await live.start('start', { ...env, ...indexing });
    other = await live.start('serve', { ...env, CCIP_READ: 'off' });
    // Wait for the background refresh, which writes profiles in batches.
    const named = async () => (await kith.get('/leaderboard/search?term=.eth')).json.results;
    await waitFor(async () => expect(await named()).toHaveLength(2));
  });

  it('reports its sources in /status', async () => {
    expect((await kith.getRoot('/status')).json.sources).toEqual({ names: 'chain', badges: 'poap' });
  });

  it('shows the profile of a member in the details of its list', async () => {
    expect(await ensOf(kith, 0)).toMatchObject({
      name: 'ann.eth',
      avatar: 'https://ann.example/a.png',
      records: { avatar: 'https://ann.example/a.png' },
      chains: { eth: ANN },
      resolver: live.services.ens.publicResolver,
      errors: {},
    });
  });

  it('finds a member by its name on the leaderboard', async () => {
    const { json } = await kith.get('/leaderboard/search?term=ann');
    expect(json.results).toMatchObject([{ address: ANN, name: 'ann.eth', avatar: 'https://ann.example/a.png' }]);
  });

  it('shows the name of a member in the notifications of accounts that it follows', async () => {
    const { json } = await kith.get(`/users/${CAT}/notifications`);
    const named = { address: ANN, name: 'ann.eth', avatar: 'https://ann.example/a.png', action: 'follow' };
    expect(json.notifications).toContainEqual(expect.objectContaining(named));
  });

  it('returns the followers of a name', async () => {
    const { json } = await kith.get('/users/Ann.eth/followers');
    expect(json.followers.map(({ address }: { address: string }) => address).sort()).toEqual([BOB, CAT]);
  });

  it('shows no name for an account whose reverse record is not verified', async () => {
    await waitFor(async () => expect((await ensOf(kith, 2)).fresh).toBeGreaterThan(0));
    expect(await ensOf(kith, 2)).toMatchObject({ name: '', avatar: '' });
  });

  it('returns 404 for an unregistered name', async () => {
    const { status, json } = await kith.get('/users/nobody.eth/followers');
    expect([status, json.code]).toEqual([404, 'unknown-name']);
  });

  it('shows changed records after cache=fresh, in all processes', async () => {
    expect((await ensOf(other, 1)).avatar).toBe('');
    await live.services.setRecord('bob.eth', 'avatar', 'https://bob.example/b.png');
    await live.services.setRecord('bob.eth', 'description', 'Builds.');
    const changed = { avatar: 'https://bob.example/b.png', records: { description: 'Builds.' } };
    expect(await ensOf(kith, 1, FRESH)).toMatchObject(changed);
    await waitFor(async () => expect(await ensOf(other, 1)).toMatchObject(changed));
  });

  it('shows a changed name after cache=fresh, in all processes', async () => {
    const found = async () => (await other.get('/leaderboard/search?term=robert')).json.results;
    expect(await found()).toEqual([]);
    await live.services.ens.adopt('robert.eth', BOB);
    expect((await ensOf(kith, 1, FRESH)).name).toBe('robert.eth');
    await waitFor(async () => expect(await found()).toMatchObject([{ address: BOB, name: 'robert.eth' }]));
  });

  it('returns 503 for a name whose gateway has a loopback address, without connecting', async () => {
    expectUnavailable(await kith.get('/users/one.offchain.eth/followers'));
    expect(live.services.gateway.connections()).toBe(0);
  });

  it('logs why a gateway was rejected, without its URL', async () => {
    await kith.get('/users/two.offchain.eth/followers');
    const [line] = await kith.untilSaid(/\{[^\n]*"name":"two\.offchain\.eth"[^\n]*/);
    expect(line).toContain('the host has a non-public address');
    expect(line).not.toMatch(/https?:|\{data\}|\.json/);
    expectNoSecrets(line);
  });

  it('sends no gateway request if CCIP_READ=off', async () => {
    expectUnavailable(await other.get('/users/one.offchain.eth/followers'));
    await other.untilSaid(/CCIP-read is disabled[^\n]*"name":"one\.offchain\.eth"/);
    expect(live.services.gateway.connections()).toBe(0);
  });

  it.each(['', FRESH])('serves the stored profile while its node is down, with the query "%s"', async (query) => {
    await live.services.withoutNode(async () => {
      expect(await kith.get(`${detailsOf(0)}${query}`)).toMatchObject({
        status: 200,
        json: { ens: { name: 'ann.eth' } },
      });
      expect((await kith.get(`/users/ann.eth/followers${query}`)).json.followers).toHaveLength(2);
    });
  });

  it('returns 503 for a new name while its node is down, and resolves it afterwards', async () => {
    const path = '/users/late.eth/followers';
    const { ens } = live.services;
    await live.services.withoutNode(async () => {
      await ens.register('late.eth', ens.publicResolver);
      await ens.send(ens.publicResolver, setAddr('late.eth', ANN));
      expectUnavailable(await kith.get(path));
    });
    const statuses = new Set<number>();
    await waitFor(async () => {
      const { status, json } = await kith.get(path);
      statuses.add(status);
      expect(json.followers).toHaveLength(2);
    });
    expect(statuses).not.toContain(404);
  });

  it('fetches the name of a member that joined while its node was down', async () => {
    await live.services.withoutNode(async () => {
      await live.services.ens.adopt('dan.eth', DAN);
      await live.services.ens.node.mine(listOf(DAN, 3n, [BOB]));
    });
    const found = async () => (await kith.get('/leaderboard/search?term=dan')).json.results;
    await waitFor(async () => expect(await found()).toMatchObject([{ address: DAN, name: 'dan.eth' }]));
  });

  describe('kith start with POAP_API_KEY', () => {
    const isHeld = ({ participated }: { participated: boolean }) => participated;
    const heldAt = async (path: string) => (await kith.get(path)).json.poaps.map(isHeld);

    it('serves the badges of POAP', async () => {
      live.services.poap.reply = ({ eventId }) => (eventId === EVENTS[0] ? held() : notHeld);
      expect(await heldAt(badgesOf('ann.eth'))).toEqual([true, false]);
    });

    it('serves stored badges if the key is rejected, and logs that once', async () => {
      live.services.poap.reply = () => held();
      await kith.get(badgesOf(BOB));
      live.services.poap.reply = () => forbidden(401);
      for (let i = 0; i < 3; i++) expect(await heldAt(`${badgesOf(BOB)}${FRESH}`)).toEqual([true, true]);
      const times = (pattern: RegExp) => kith.shown().match(pattern)?.length;
      await waitFor(() => expect(times(/badge fetch failed/g)).toBe(3 * EVENTS.length));
      expect(times(/POAP rejected the API key \(HTTP 401\)/g)).toBe(1);
    });

    it('returns 503 for unknown badges if the key is rejected', async () => {
      live.services.poap.reply = () => forbidden(401);
      expectUnavailable(await kith.get(badgesOf(CAT)));
    });
  });

  it('has printed no password and no key when it exits', async () => {
    for (const path of ['/status', '/metrics', '/ready', '/openapi.json']) await kith.getRoot(path);
    expect(live.services.poap.requests.at(0)?.headers['x-api-key']).toBe(SECRETS.key);
    expect((await Promise.all([kith.end(), other.end()])).map(({ code }) => code)).toEqual([0, 0]);
    expectNoSecrets(kith.shown() + other.shown());
  });
});

describe('kith start with unavailable sources', () => {
  let kith: Kith;

  beforeAll(async () => {
    const { services } = live;
    const DATABASE_URL = await live.createDatabase('sqlite');
    await services.importLogs(DATABASE_URL);
    const [node, poap] = await Promise.all([createTcpProxy(services.ens.node.url), createTcpProxy(services.poap.url)]);
    await Promise.all([node.disconnect(), poap.disconnect()]);
    const env = { ...services.live, RPC_URL_1: withSecrets(node.url), ...poapEnv(poap.url) };
    kith = await live.start('start', { ...env, DATABASE_URL });
  });

  it('serves stored data, even with cache=fresh', async () => {
    const answer = await kith.get(`${detailsOf(0)}${FRESH}`);
    expect(answer).toMatchObject({ status: 200, json: { address: ANN, ens: { name: '' } } });
  });

  it.each([badgesOf(ANN), '/lists/1/badges', '/users/ann.eth/followers'])('returns 503 for %s', async (path) => {
    expectUnavailable(await kith.get(path));
  });

  it('has printed no password and no key when it exits', async () => {
    await kith.get(badgesOf(DAN));
    await kith.untilSaid(/RPC request failed/);
    for (const path of ['/status', '/metrics', '/ready']) await kith.getRoot(path);
    const { code, stderr } = await kith.end();
    expect([code, stderr]).toEqual([0, expect.stringContaining('POAP unavailable')]);
    expectNoSecrets(kith.shown());
  });
});

describe('kith start with RPC_URL_1 for names alone and imported logs', () => {
  let node: FakeEnsNode;
  let kith: Kith;

  beforeAll(async () => {
    const DATABASE_URL = await live.createDatabase('sqlite');
    await live.services.importLogs(DATABASE_URL);
    node = await startFakeEnsNode();
    live.keep(node.stop);
    node.addName('ann.eth', ANN);
    // Profiles are stale at once, and responses have a short deadline.
    const impatient = { PROFILE_MAX_AGE_S: '1', SOURCE_TIMEOUT_MS: '600000', SOURCE_DEADLINE_MS: '1000' };
    const names = { RPC_URL_1: withSecrets(node.url), INDEX_CHAINS: 'none' };
    kith = await live.start('start', { ...live.services.deployment, ...impatient, ...names, DATABASE_URL });
    await waitFor(async () => expect((await ensOf(kith, 0)).name).toBe('ann.eth'));
  });

  it('exits with its child processes while the node hangs', async () => {
    const [, indexer = ''] = await kith.untilSaid(/"pid":(\d+)[^\n]*"msg":"indexing"/);
    const { length } = node.requests;
    node.faultOf = () => 'hang';
    await waitFor(() => expect(node.requests.length).toBeGreaterThan(length));
    expect((await ensOf(kith, 0, FRESH)).name).toBe('ann.eth');
    expect((await kith.end()).code).toBe(0);
    expect(() => process.kill(Number(indexer), 0)).toThrow('ESRCH');
  });

  it('has printed no password and no key when it exits', async () => {
    await kith.end();
    expect(node.requests.at(0)).toMatchObject({ authorization: `Basic ${SECRETS.authorization}` });
    expectNoSecrets(kith.shown());
  });
});

it('two kith serve processes on one PostgreSQL database both show a refresh by either', async () => {
  const env = { ...live.services.live, DATABASE_URL: await live.createDatabase('postgres') };
  await live.services.importLogs(env.DATABASE_URL);
  const [one, two] = await Promise.all([live.start('serve', env), live.start('serve', env)]);
  expect((await ensOf(two, 0)).name).toBe('');
  expect((await ensOf(one, 0, FRESH)).name).toBe('ann.eth');
  await waitFor(async () => expect((await ensOf(two, 0)).name).toBe('ann.eth'));
  await live.services.setRecord('ann.eth', 'description', 'Was here.');
  expect((await ensOf(two, 0, FRESH)).records.description).toBe('Was here.');
  await waitFor(async () => expect((await ensOf(one, 0)).records.description).toBe('Was here.'));
  expect((await Promise.all([one.end(), two.end()])).map(({ code }) => code)).toEqual([0, 0]);
});

it('kith index names the variables to set if there is no node', async () => {
  const { code, stderr } = await spawnKith(['index'], { env: { DATABASE_URL: await live.createDatabase('sqlite') } });
  expect(code).toBe(2);
  expect(stderr).toMatch(/set at least one of RPC_URL_8453, RPC_URL_10, RPC_URL_1 \[E_USAGE\]/);
});
