import { beforeAll, describe, expect, it, vi } from 'vitest';
import { forbidden, held, notHeld } from '../badges/fake-poap.ts';
import { createDoor } from '../http/door.ts';
import { ANN, BOB, CAT, DAN } from '../model/small-history.ts';
import { setAddr } from '../names/ens/ens-world.ts';
import { type FakeEnstate, type Fault, sendJson, startFakeEnstate } from '../names/enstate/fake-enstate.ts';
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

const WAIT = { timeout: 45_000, interval: 100 };
const FRESH = '?cache=fresh';
const detailsOf = (list: number) => `/lists/${list}/details`;
const badgesOf = (account: string) => `/users/${account}/badges`;
const ensOf = async (kith: Kith, list: number, query = '') => (await kith.get(`${detailsOf(list)}${query}`)).json.ens;

const live = useLiveSources();

describe('kith start with a node of Ethereum and a key of POAP', () => {
  let kith: Kith;
  /** On the same database, and without CCIP-read. */
  let other: Kith;

  beforeAll(async () => {
    const env = { ...live.outside.live, DATABASE_URL: await live.createDatabase('sqlite') };
    const indexing = { POLL_INTERVAL_MS: '50', RANKS_INTERVAL_MS: '100', START_BLOCK_1: '0' };
    kith = await live.start('start', { ...env, ...indexing });
    other = await live.start('serve', { ...env, CCIP_READ: 'off' });
    // Nobody has asked for profiles: they come with the indexing, and are written in company.
    const named = async () => (await kith.get('/leaderboard/search?term=.eth')).json.results;
    await vi.waitFor(async () => expect(await named()).toHaveLength(2), WAIT);
  });

  it('says which sources it has', async () => {
    expect((await kith.getRoot('/status')).json.sources).toEqual({ names: 'chain', badges: 'poap' });
  });

  it('shows the profile of a member in the details of its list', async () => {
    expect(await ensOf(kith, 0)).toMatchObject({
      name: 'ann.eth',
      avatar: 'https://ann.example/a.png',
      records: { avatar: 'https://ann.example/a.png' },
      chains: { eth: ANN },
      resolver: live.outside.ens.publicResolver,
      errors: {},
    });
  });

  it('finds a member by its name on the leaderboard', async () => {
    const { json } = await kith.get('/leaderboard/search?term=ann');
    expect(json.results).toMatchObject([{ address: ANN, name: 'ann.eth', avatar: 'https://ann.example/a.png' }]);
  });

  it('names a member in the notifications of those it follows', async () => {
    const { json } = await kith.get(`/users/${CAT}/notifications`);
    const named = { address: ANN, name: 'ann.eth', avatar: 'https://ann.example/a.png', action: 'follow' };
    expect(json.notifications).toContainEqual(expect.objectContaining(named));
  });

  it('tells the followers of a name', async () => {
    const { json } = await kith.get('/users/Ann.eth/followers');
    expect(json.followers.map(({ address }: { address: string }) => address).sort()).toEqual([BOB, CAT]);
  });

  it('leaves an account without a name whose claim does not lead back to it', async () => {
    await vi.waitFor(async () => expect((await ensOf(kith, 2)).fresh).toBeGreaterThan(0), WAIT);
    expect(await ensOf(kith, 2)).toMatchObject({ name: '', avatar: '' });
  });

  it('does not know a name that nobody has registered', async () => {
    const { status, json } = await kith.get('/users/nobody.eth/followers');
    expect([status, json.code]).toEqual([404, 'unknown-name']);
  });

  it('shows changed records at once to whoever asks for them afresh, and to other processes', async () => {
    expect((await ensOf(other, 1)).avatar).toBe('');
    await live.outside.setRecord('bob.eth', 'avatar', 'https://bob.example/b.png');
    await live.outside.setRecord('bob.eth', 'description', 'Builds.');
    const changed = { avatar: 'https://bob.example/b.png', records: { description: 'Builds.' } };
    expect(await ensOf(kith, 1, FRESH)).toMatchObject(changed);
    await vi.waitFor(async () => expect(await ensOf(other, 1)).toMatchObject(changed), WAIT);
  });

  it('shows a changed name at once to whoever asks for it afresh, and to other processes', async () => {
    const found = async () => (await other.get('/leaderboard/search?term=robert')).json.results;
    expect(await found()).toEqual([]);
    await live.outside.ens.adopt('robert.eth', BOB);
    expect((await ensOf(kith, 1, FRESH)).name).toBe('robert.eth');
    await vi.waitFor(async () => expect(await found()).toMatchObject([{ address: BOB, name: 'robert.eth' }]), WAIT);
  });

  it('cannot tell who holds a name that is kept by a gateway on this machine, and does not connect to it', async () => {
    expectUnavailable(await kith.get('/users/one.offchain.eth/followers'));
    expect(live.outside.gateway.connections()).toBe(0);
  });

  it('logs why a gateway was not asked, without its URL', async () => {
    await kith.get('/users/two.offchain.eth/followers');
    const [line] = await kith.untilSaid(/\{[^\n]*"name":"two\.offchain\.eth"[^\n]*/);
    expect(line).toContain('the host has a non-public address');
    expect(line).not.toMatch(/https?:|\{data\}|\.json/);
    expectNoSecrets(line);
  });

  it('asks no gateway where CCIP-read is disabled', async () => {
    expectUnavailable(await other.get('/users/one.offchain.eth/followers'));
    await other.untilSaid(/CCIP-read is disabled[^\n]*"name":"one\.offchain\.eth"/);
    expect(live.outside.gateway.connections()).toBe(0);
  });

  it.each(['', FRESH])('answers with the last profile while its node is away, also with "%s"', async (query) => {
    await live.outside.withoutNode(async () => {
      expect(await kith.get(`${detailsOf(0)}${query}`)).toMatchObject({
        status: 200,
        json: { ens: { name: 'ann.eth' } },
      });
      expect((await kith.get(`/users/ann.eth/followers${query}`)).json.followers).toHaveLength(2);
    });
  });

  it('cannot tell who holds a new name while its node is away, and can when it is back', async () => {
    const path = '/users/late.eth/followers';
    const { ens } = live.outside;
    await live.outside.withoutNode(async () => {
      await ens.register('late.eth', ens.publicResolver);
      await ens.tell(ens.publicResolver, setAddr('late.eth', ANN));
      expectUnavailable(await kith.get(path));
    });
    const statuses = new Set<number>();
    await vi.waitFor(async () => {
      const { status, json } = await kith.get(path);
      statuses.add(status);
      expect(json.followers).toHaveLength(2);
    }, WAIT);
    expect(statuses).not.toContain(404);
  });

  it('names a member that joined while its node was away when it is back', async () => {
    await live.outside.withoutNode(async () => {
      await live.outside.ens.adopt('dan.eth', DAN);
      await live.outside.ens.anvil.mine(listOf(DAN, 3n, [BOB]));
    });
    const found = async () => (await kith.get('/leaderboard/search?term=dan')).json.results;
    await vi.waitFor(async () => expect(await found()).toMatchObject([{ address: DAN, name: 'dan.eth' }]), WAIT);
  });

  describe('and badges', () => {
    const isHeld = ({ participated }: { participated: boolean }) => participated;
    const heldAt = async (path: string) => (await kith.get(path)).json.poaps.map(isHeld);

    it('shows those that POAP tells of', async () => {
      live.outside.poap.reply = ({ eventId }) => (eventId === EVENTS[0] ? held() : notHeld);
      expect(await heldAt(badgesOf('ann.eth'))).toEqual([true, false]);
    });

    it('keeps those that it knows when the key is refused, and says so once', async () => {
      live.outside.poap.reply = () => held();
      await kith.get(badgesOf(BOB));
      live.outside.poap.reply = () => forbidden(401);
      for (let i = 0; i < 3; i++) expect(await heldAt(`${badgesOf(BOB)}${FRESH}`)).toEqual([true, true]);
      const times = (pattern: RegExp) => kith.shown().match(pattern)?.length;
      await vi.waitFor(() => expect(times(/badge fetch failed/g)).toBe(3 * EVENTS.length), WAIT);
      expect(times(/POAP rejected the API key \(HTTP 401\)/g)).toBe(1);
    });

    it('cannot tell those that it does not know when the key is refused', async () => {
      live.outside.poap.reply = () => forbidden(401);
      expectUnavailable(await kith.get(badgesOf(CAT)));
    });
  });

  it('has shown nobody a password or a key by the time it ends', async () => {
    for (const path of ['/status', '/metrics', '/ready', '/openapi.json']) await kith.getRoot(path);
    expect(live.outside.poap.asked.at(0)?.headers['x-api-key']).toBe(SECRETS.key);
    expect((await Promise.all([kith.end(), other.end()])).map(({ code }) => code)).toEqual([0, 0]);
    expectNoSecrets(kith.shown() + other.shown());
  });
});

describe('kith start whose sources do not answer from the start', () => {
  let kith: Kith;

  beforeAll(async () => {
    const { outside } = live;
    const DATABASE_URL = await live.createDatabase('sqlite');
    await outside.importLogs(DATABASE_URL);
    const [node, poap] = await Promise.all([createDoor(outside.ens.anvil.url), createDoor(outside.poap.url)]);
    await Promise.all([node.shut(), poap.shut()]);
    const env = { ...outside.live, RPC_URL_1: withSecrets(node.url), ...poapEnv(poap.url) };
    kith = await live.start('start', { ...env, DATABASE_URL });
  });

  it('answers with what is stored, even when it is to be fresh', async () => {
    const answer = await kith.get(`${detailsOf(0)}${FRESH}`);
    expect(answer).toMatchObject({ status: 200, json: { address: ANN, ens: { name: '' } } });
  });

  it.each([badgesOf(ANN), '/lists/1/badges', '/users/ann.eth/followers'])('cannot answer %s', async (path) => {
    expectUnavailable(await kith.get(path));
  });

  it('has shown nobody a password or a key by the time it ends', async () => {
    await kith.get(badgesOf(DAN));
    await kith.untilSaid(/a node did not answer/);
    for (const path of ['/status', '/metrics', '/ready']) await kith.getRoot(path);
    const { code, stderr } = await kith.end();
    expect([code, stderr]).toEqual([0, expect.stringContaining('POAP unavailable')]);
    expectNoSecrets(kith.shown());
  });
});

describe('kith start with an enstate server, imported logs and no node', () => {
  let enstate: FakeEnstate;
  let kith: Kith;

  beforeAll(async () => {
    const DATABASE_URL = await live.createDatabase('sqlite');
    await live.outside.importLogs(DATABASE_URL);
    // Its clock is ahead, so that whatever it tells is of now.
    enstate = await startFakeEnstate(Date.now() + 3_600_000);
    live.keep(enstate.stop);
    // What the source looks for beside whatever is not found.
    enstate.addName('vitalik.eth', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045');
    enstate.addName('ann.eth', ANN);
    const ENSTATE_URL = withSecrets(`${enstate.url}/${SECRETS.path}`);
    // Profiles are renewed all the time, and answers never wait long for that.
    const impatient = { PROFILE_MAX_AGE_S: '1', SOURCE_TIMEOUT_MS: '600000', SOURCE_DEADLINE_MS: '1000' };
    kith = await live.start('start', { ...live.outside.deployment, ...impatient, DATABASE_URL, ENSTATE_URL });
    await vi.waitFor(async () => expect((await ensOf(kith, 0)).name).toBe('ann.eth'), WAIT);
  });

  it('fills profiles by itself', async () => {
    expect((await kith.get('/leaderboard/search?term=ann')).json.results).toMatchObject([{ address: ANN }]);
    expect((await kith.getRoot('/status')).json.sources).toEqual({ names: 'enstate', badges: 'none' });
  });

  it('answers with the last profile while the server fails, and cannot tell who holds a new name', async () => {
    // It repeats what it was asked, as a careless one might. What is asked in the background goes well.
    const fail: Fault = (response) => sendJson(response, 500, { error: withSecrets(enstate.url) });
    enstate.faultOf = ({ fresh }) => (fresh ? fail : undefined);
    expect((await ensOf(kith, 0, FRESH)).name).toBe('ann.eth');
    expectUnavailable(await kith.get('/users/bob.eth/followers'));
  });

  it('ends with all that it has started while the server hangs', async () => {
    const [, indexer = ''] = await kith.untilSaid(/"pid":(\d+)[^\n]*"msg":"indexing"/);
    const { length } = enstate.asked;
    enstate.faultOf = () => () => undefined;
    await vi.waitFor(() => expect(enstate.asked.length).toBeGreaterThan(length), WAIT);
    expect((await ensOf(kith, 0, FRESH)).name).toBe('ann.eth');
    expect((await kith.end()).code).toBe(0);
    expect(() => process.kill(Number(indexer), 0)).toThrow('ESRCH');
  });

  it('has shown nobody a password or a key by the time it ends', async () => {
    await kith.end();
    expect(enstate.asked.at(0)).toMatchObject({ authorization: `Basic ${SECRETS.authorization}` });
    expectNoSecrets(kith.shown());
  });
});

it('kith serve, twice on one PostgreSQL, shows in both what either was told when it was asked afresh', async () => {
  const env = { ...live.outside.live, DATABASE_URL: await live.createDatabase('postgres') };
  await live.outside.importLogs(env.DATABASE_URL);
  const [one, two] = await Promise.all([live.start('serve', env), live.start('serve', env)]);
  expect((await ensOf(two, 0)).name).toBe('');
  expect((await ensOf(one, 0, FRESH)).name).toBe('ann.eth');
  await vi.waitFor(async () => expect((await ensOf(two, 0)).name).toBe('ann.eth'), WAIT);
  await live.outside.setRecord('ann.eth', 'description', 'Was here.');
  expect((await ensOf(two, 0, FRESH)).records.description).toBe('Was here.');
  await vi.waitFor(async () => expect((await ensOf(one, 0)).records.description).toBe('Was here.'), WAIT);
  expect((await Promise.all([one.end(), two.end()])).map(({ code }) => code)).toEqual([0, 0]);
});

it('kith index says what to set where there is neither a node nor an enstate server', async () => {
  const { code, stderr } = await spawnKith(['index'], { env: { DATABASE_URL: await live.createDatabase('sqlite') } });
  expect(code).toBe(2);
  expect(stderr).toMatch(/set at least one of RPC_URL_8453, RPC_URL_10, RPC_URL_1, or ENSTATE_URL/);
});
