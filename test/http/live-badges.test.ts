import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dropped, forbidden, held, notHeld, page } from '../badges/fake-poap.ts';
import { ANN } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { type Answer, fetchAnswer, type Service } from '../support/service.ts';
import { type Live, LiveStage } from './live-stage.ts';
import { expectProblem } from './support.ts';

const EVENTS = ['177709', '178064'];
const HELD_MS = 86_400_000;
const NOT_HELD_MS = 3_600_000;
/** More than an answer that depends on the clock stands. */
const MOMENT_MS = 2_000;
/** However busy the machine is. */
const WAIT = { timeout: 15_000 };
const FRESH = '?cache=fresh';
const PATHS = [`/users/${ANN}/badges`, '/users/ann.eth/badges', '/lists/0/badges'];
const [path = ''] = PATHS;

describe.each(anyEngine)('badges, with a source of badges, on $name', (engine) => {
  const stage = new LiveStage(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await stage.open();
    live.enstate.addName('ann.eth', ANN);
    service = await live.serve();
  });
  afterEach(() => stage.close());

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
    it('are those that the source tells of, in the order of the events', async () => {
      live.poap.reply = ({ eventId }) => (eventId === EVENTS[1] ? held('8') : notHeld);
      const { json } = await service.get(of);
      expect(json.poaps).toMatchObject([
        { eventId: EVENTS[0], participated: false, collection: null },
        { eventId: EVENTS[1], participated: true, collection: { tokenId: '8' } },
      ]);
    });

    it('that are not known are not told, and not denied, while the source cannot tell', async () => {
      shut();
      const answer = await service.get(of);
      expectProblem(answer, { status: 503, code: 'unavailable' });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    it('that are known are told while the source cannot tell, however old they are', async () => {
      hold('7');
      await service.get(of);
      shut();
      live.now += 10 * HELD_MS;
      expect(await tokens(of)).toEqual(all('7'));
    });

    it('that are known are told while the source cannot tell, though they are to be fresh', async () => {
      hold('7');
      await service.get(of);
      shut();
      expect(await tokens(`${of}${FRESH}`)).toEqual(all('7'));
    });

    it('are asked for again when they are to be fresh, however young they are', async () => {
      await service.get(of);
      hold('7');
      expect(await tokens(of)).toEqual(all(null));
      expect(await tokens(`${of}${FRESH}`)).toEqual(all('7'));
    });

    it('that were to be fresh are known to every service', async () => {
      const other = await live.serve();
      expect(await tokens(of, other)).toEqual(all(null));
      hold('7');
      live.now += 1;
      await service.get(`${of}${FRESH}`);
      // Nothing may be learnt from the source from here on.
      shut();
      await vi.waitFor(async () => expect(await tokens(of, other)).toEqual(all('7')), WAIT);
    });
  });

  it.each([
    ['does not let us connect', dropped],
    ['answers with an error', page(503)],
    ['answers that it is busy', page(429, { 'retry-after': '0' })],
  ])('are neither told nor denied when the source %s', async (_, reply) => {
    live.poap.reply = () => reply;
    expectProblem(await service.get(path), { status: 503, code: 'unavailable' });
  });

  it('are told as soon as the source can tell again', async () => {
    shut();
    await service.get(path);
    hold('7');
    expect(await tokens(path)).toEqual(all('7'));
  });

  it('that cannot be told have the profile renewed all the same before the answer', async () => {
    shut();
    let answer: (() => void) | undefined;
    live.enstate.faultOf = () => (response) => {
      live.enstate.faultOf = () => undefined;
      answer = () => response.writeHead(200).end(JSON.stringify({ response: [{ type: 'error', status: 404 }] }));
    };
    let isAnswered = false;
    const answered = service.get(`${path}${FRESH}`).finally(() => {
      isAnswered = true;
    });
    await vi.waitFor(
      () => expect([live.poap.asked.length, answer === undefined]).toEqual([EVENTS.length, false]),
      WAIT,
    );
    // Whoever does not wait for the profile has time to answer now.
    await service.get('/lists/0/details');
    await service.get('/lists/2/details');
    expect(isAnswered).toBe(false);
    answer?.();
    expect((await answered).status).toBe(503);
    // Asked in another way than before: on PostgreSQL the cache hears of a commit a moment later.
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

    it('are not asked for again while they are young', async () => {
      const { length } = live.poap.asked;
      live.now += age - 1;
      expect(await tokens(path)).toEqual(all(token));
      expect(live.poap.asked).toHaveLength(length);
    });

    it('are asked for again by whoever asks when they are old, though the answer was kept', async () => {
      const { length } = live.poap.asked;
      live.now += age;
      hold('9');
      await service.get(path);
      await vi.waitFor(async () => expect(await tokens(path)).toEqual(all('9')), WAIT);
      expect(live.poap.asked).toHaveLength(length + EVENTS.length);
    });
  });

  it.each(PATHS)('are answered from the cache for a moment at %s', async (of) => {
    const state = async () => (await service.get(of)).headers.get('x-cache');
    // Once what was asked for is stored, and known to be.
    await vi.waitFor(async () => expect(await state()).toBe('HIT'), WAIT);
    live.now += MOMENT_MS;
    expect(await state()).toBe('MISS');
  });

  describe('without a key', () => {
    beforeEach(async () => {
      service = await live.serve({ badges: { kind: 'none' } });
    });

    it.each(PATHS)('are not held as far as %s knows', async (of) => {
      expect(await tokens(of)).toEqual(all(null));
    });

    it('are not asked for, though they are to be fresh', async () => {
      expect(await tokens(`${path}${FRESH}`)).toEqual(all(null));
      expect(live.poap.asked).toEqual([]);
    });

    it('are said in the log to have no source', () => {
      expect(live.log.join('')).toContain('no badge source is set');
    });

    it('are said in the status to have no source', async () => {
      expect((await fetchAnswer(`${service.url}/status`)).json.sources).toEqual({ names: 'enstate', badges: 'none' });
    });
  });

  it('are said in the status to have a source', async () => {
    expect((await fetchAnswer(`${service.url}/status`)).json.sources).toEqual({ names: 'enstate', badges: 'poap' });
  });
});
