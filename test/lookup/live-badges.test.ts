import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropped, forbidden, held, notHeld, page } from '../badges/fake-poap.ts';
import { expectProblem } from '../http/support.ts';
import { ANN } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { type Answer, fetchAnswer, type Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Live, LiveFixture } from './live-fixture.ts';

const EVENTS = ['177709', '178064'];
const HELD_MS = 86_400_000;
const NOT_HELD_MS = 3_600_000;
/** Longer than responses that depend on the clock are cached. */
const MOMENT_MS = 2_000;
const FRESH = '?cache=fresh';
const PATHS = [`/users/${ANN}/badges`, '/users/ann.eth/badges', '/lists/0/badges'];
const [path = ''] = PATHS;

describe.each(anyEngine)('badges with a badge source on $name', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await fixture.open();
    live.node.addName('ann.eth', ANN);
    service = await live.serve();
  });
  afterEach(() => fixture.close());

  const tokensIn = ({ status, json }: Answer) => [
    status,
    ...json.poaps.map(({ collection }: { collection: { tokenId: string } | null }) => collection?.tokenId ?? null),
  ];
  const tokens = async (of: string, by = service) => tokensIn(await by.get(of));
  const all = (token: string | null) => [200, ...EVENTS.map(() => token)];
  const hold = (token: string) => {
    live.poap.reply = () => held(token);
  };
  const shut = () => {
    live.poap.reply = () => forbidden(401);
  };

  describe.each(PATHS)('at %s', (of) => {
    it('returns the badges of the source in the order of the events', async () => {
      live.poap.reply = ({ eventId }) => (eventId === EVENTS[1] ? held('8') : notHeld);
      const { json } = await service.get(of);
      expect(json.poaps).toMatchObject([
        { eventId: EVENTS[0], participated: false, collection: null },
        { eventId: EVENTS[1], participated: true, collection: { tokenId: '8' } },
      ]);
    });

    it('returns 503 with Retry-After for unknown badges during an outage of the source', async () => {
      shut();
      const answer = await service.get(of);
      expectProblem(answer, { status: 503, code: 'unavailable' });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    it('returns stored badges of any age during an outage of the source', async () => {
      hold('7');
      await service.get(of);
      shut();
      live.now += 10 * HELD_MS;
      expect(await tokens(of)).toEqual(all('7'));
    });

    it('returns stored badges for cache=fresh during an outage of the source', async () => {
      hold('7');
      await service.get(of);
      shut();
      expect(await tokens(`${of}${FRESH}`)).toEqual(all('7'));
    });

    it('fetches badges of any age again for cache=fresh', async () => {
      await service.get(of);
      hold('7');
      expect(await tokens(of)).toEqual(all(null));
      expect(await tokens(`${of}${FRESH}`)).toEqual(all('7'));
    });

    it('makes badges fetched for cache=fresh visible to every process', async () => {
      const other = await live.serve();
      expect(await tokens(of, other)).toEqual(all(null));
      hold('7');
      live.now += 1;
      await service.get(`${of}${FRESH}`);
      // The source is down from here on.
      shut();
      await waitFor(async () => expect(await tokens(of, other)).toEqual(all('7')));
    });
  });

  it.each([
    ['drops the connection', dropped],
    ['returns an error', page(503)],
    ['returns 429', page(429, { 'retry-after': '0' })],
  ])('returns 503 when the source %s', async (_, reply) => {
    live.poap.reply = () => reply;
    expectProblem(await service.get(path), { status: 503, code: 'unavailable' });
  });

  it('returns badges as soon as the outage is over', async () => {
    shut();
    await service.get(path);
    hold('7');
    expect(await tokens(path)).toEqual(all('7'));
  });

  it('refreshes the profile before it responds to cache=fresh even if the badge source is down', async () => {
    shut();
    let answer: (() => void) | undefined;
    live.node.faultOf = () => (send) => {
      live.node.faultOf = () => undefined;
      answer = send;
    };
    let isAnswered = false;
    const answered = service.get(`${path}${FRESH}`).finally(() => {
      isAnswered = true;
    });
    await waitFor(() => expect([live.poap.requests.length, answer === undefined]).toEqual([EVENTS.length, false]));
    // A response that did not wait for the profile would arrive during these.
    await service.get('/lists/0/details');
    await service.get('/lists/2/details');
    expect(isAnswered).toBe(false);
    answer?.();
    expect((await answered).status).toBe(503);
    // Another URL: on PostgreSQL the cache is notified a moment after the commit.
    expect((await service.get('/lists/0/details?again')).json.ens.name).toBe('ann.eth');
  });

  describe.each([
    ['held', '7', HELD_MS],
    ['not held', null, NOT_HELD_MS],
  ])('that are %s', (_, token, age) => {
    beforeEach(async () => {
      if (token !== null) hold(token);
      expect(await tokens(path)).toEqual(all(token));
    });

    it('are not fetched again before they expire', async () => {
      const { length } = live.poap.requests;
      live.now += age - 1;
      expect(await tokens(path)).toEqual(all(token));
      expect(live.poap.requests).toHaveLength(length);
    });

    it('are fetched again by the first request after they expire, even if the response is cached', async () => {
      const { length } = live.poap.requests;
      live.now += age;
      hold('9');
      await service.get(path);
      await waitFor(async () => expect(await tokens(path)).toEqual(all('9')));
      expect(live.poap.requests).toHaveLength(length + EVENTS.length);
    });
  });

  it.each(PATHS)('caches the response of %s for a short time', async (of) => {
    const state = async () => (await service.get(of)).headers.get('x-cache');
    // Once the fetched badges are stored and the cache is notified.
    await waitFor(async () => expect(await state()).toBe('HIT'));
    live.now += MOMENT_MS;
    expect(await state()).toBe('MISS');
  });

  describe('without a key', () => {
    beforeEach(async () => {
      service = await live.serve({ badges: { kind: 'none' } });
    });

    it.each(PATHS)('reports no badge at %s', async (of) => {
      expect(await tokens(of)).toEqual(all(null));
    });

    it('fetches no badge for cache=fresh', async () => {
      expect(await tokens(`${path}${FRESH}`)).toEqual(all(null));
      expect(live.poap.requests).toEqual([]);
    });

    it('logs that there is no badge source', () => {
      expect(live.log.join('')).toContain('no badge source configured');
    });

    it('reports no badge source in the status', async () => {
      expect((await fetchAnswer(`${service.url}/status`)).json.sources).toEqual({ names: 'chain', badges: 'none' });
    });
  });

  it('reports the badge source in the status', async () => {
    expect((await fetchAnswer(`${service.url}/status`)).json.sources).toEqual({ names: 'chain', badges: 'poap' });
  });
});
