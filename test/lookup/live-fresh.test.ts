import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from '../badges/fake-poap.ts';
import { ANN, BOB } from '../model/small-history.ts';
import { accountOf } from '../names/accounts.ts';
import { engines } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import { type Live, LiveFixture } from './live-fixture.ts';

const DAY_MS = 86_400_000;
const LOOKUPS = ['stats', 'followers', 'details', 'ens', 'following'];
/** Of each lookup. */
const REQUESTS = 60;

describe.each(engines)('cache=fresh on $name', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  const stored = Array.from({ length: REQUESTS }, (_, i) => ({
    address: accountOf(1_000 + i),
    name: `n${i}.eth`,
    fresh: 0,
  }));
  beforeEach(async () => {
    live = await fixture.open();
    const fresh = live.now - 2 * DAY_MS;
    await loadProfiles(
      live.store,
      stored.map((profile) => ({ ...profile, fresh })),
    );
  });
  afterEach(() => fixture.close());

  const FAULTS = {
    'fails at once': { requestsPerSecond: 10_000, deadlineMs: 30_000, fault: 'error' },
    'does not answer': { requestsPerSecond: 10_000, deadlineMs: 50, fault: 'hang' },
    'may not be asked more often': { requestsPerSecond: 0.1, deadlineMs: 1_000, fault: undefined },
  } as const;

  it.each(Object.entries(FAULTS))(
    'answers from what is stored, on every route, while a name source %s',
    async (_, { fault, ...limits }) => {
      const service = await live.serve(limits);
      // The lookup that is made finds what is stored.
      for (const { address, name } of stored) live.node.addName(name, address);
      live.node.faultOf = () => fault;
      const answers = await Promise.all(
        stored.flatMap(({ address, name }, i) =>
          LOOKUPS.map((lookup) => service.get(`/users/${i % 2 === 0 ? address : name}/${lookup}?cache=fresh`)),
        ),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(answers).toHaveLength(REQUESTS * LOOKUPS.length);
    },
  );

  it('stores nothing in a demo graph that another command has generated since', async () => {
    const service = await live.serve();
    await live.store.transaction((tx) => tx.upsert('state', [{ key: 'is_demo', value: 1 }]));
    live.node.addName('new.eth', BOB);
    for (const lookup of ['details', 'badges'])
      expect((await service.get(`/users/new.eth/${lookup}?cache=fresh`)).status).toBe(200);
    const rows = await live.store.transaction(async (tx) => [
      await tx.readBy('profiles', 'address', [BOB]),
      await tx.readBy('resolved_names', 'name', ['new.eth']),
      await tx.readBy('badges', 'address', [BOB]),
    ]);
    expect(rows).toEqual([[], [], []]);
    expect(live.log.join('')).toContain('holds a demo graph');
  });

  it('returns 503 for a name that was never resolved, and for badges that were never fetched', async () => {
    const service = await live.serve();
    live.node.faultOf = () => 'error';
    live.poap.reply = () => page(500);
    expect((await service.get('/users/unknown.eth/stats?cache=fresh')).status).toBe(503);
    expect((await service.get(`/users/${BOB}/badges?cache=fresh`)).status).toBe(503);
  });

  it('returns stored badges while their source may not be asked more often', async () => {
    const first = await live.serve();
    expect((await first.get(`/users/${ANN}/badges`)).status).toBe(200);
    const limited = await live.serve({ requestsPerSecond: 0.1, deadlineMs: 1_000 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => limited.get(`/users/${ANN}/badges?cache=fresh&n=${i}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });
});
