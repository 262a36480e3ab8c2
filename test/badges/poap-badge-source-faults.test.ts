import { describe, expect, it, vi } from 'vitest';
import { RemoteError } from '../../src/remote/remote-error.ts';
import { anyEngine } from '../support/engines.ts';
import { dropped, forbidden, held, notHeld, page, type Reply, silent, text, tooMany } from './fake-poap.ts';
import { ANN, BOB, HELD_MS, inTurn, KEY, NOW, put, row, stored, useWorlds } from './world.ts';

const EVENT = '177709';
const FRESH = { fresh: true };
const events = [EVENT];
const old = row(ANN, EVENT, '41', NOW - HELD_MS);
const REFUSED = /^POAP rejected the API key \(HTTP 40[13]\), serving stored badges: set POAP_API_KEY to a valid key$/;

const timeout = new RemoteError('POAP', 'badge', { kind: 'timeout' });
const quick: [string, Reply][] = [
  ['a rate limit', tooMany()],
  ['a server error', page(500)],
  ['an HTML page of a proxy', page(502)],
  ['an overloaded server', page(503)],
  ['a dropped connection', dropped],
];
const passing: [string, Reply][] = [...quick, ['no response', silent]];

describe.each(anyEngine)('createPoapBadgeSource with a failing POAP API on $name', (engine) => {
  const createWorld = useWorlds(engine);

  it.each(quick)('retries a transient failure: %s', async (_, fault) => {
    const world = await createWorld({ events });
    world.poap.reply = inTurn(fault, fault, held('42'));
    expect(await world.tokensOf(ANN)).toEqual({ [EVENT]: '42' });
    expect(world.pauses).toEqual([500, 1_000]);
  });

  it('retries a timeout', async () => {
    // A fake timeout: a real one would be either slow or flaky.
    const fetchBadge = vi.fn().mockRejectedValueOnce(timeout).mockRejectedValueOnce(timeout);
    const world = await createWorld({ events, client: { fetchBadge: fetchBadge.mockResolvedValue(old) } });
    expect(await world.tokensOf(ANN)).toEqual({ [EVENT]: '41' });
    expect(world.pauses).toEqual([500, 1_000]);
  });

  it.each(passing)('throws after repeated transient failures, never returns not held: %s', async (_, fault) => {
    const world = await createWorld({ events, timeoutMs: 20 });
    world.poap.reply = () => fault;
    await expect(world.tokensOf(ANN)).rejects.toMatchObject({ name: 'RemoteError' });
    expect(world.asked).toHaveLength(3);
    expect(await stored(world.store, ANN)).toEqual([]);
  });

  it.each([
    ['a rejected key', forbidden(401)],
    ['a forbidden key', forbidden(403)],
    ['an HTML page with status 404', page(404)],
    ['a response that is not JSON', text(200, 'OK')],
    ['a bad request', page(400)],
  ])('throws without a retry for a permanent failure: %s', async (_, fault) => {
    const world = await createWorld({ events });
    world.poap.reply = () => fault;
    await expect(world.tokensOf(ANN)).rejects.toMatchObject({ name: 'RemoteError' });
    expect(world.asked).toHaveLength(1);
    expect(await stored(world.store, ANN)).toEqual([]);
  });

  it.each([...passing, ['a rejected key', forbidden(401)] as const])(
    'serves stored badges during a failure: %s',
    async (_, fault) => {
      const world = await createWorld({ events, timeoutMs: 20 });
      await put(world.store, [old]);
      world.poap.reply = () => fault;
      expect(await world.tokensOf(ANN)).toEqual({ [EVENT]: '41' });
      expect(await world.tokensOf(ANN, FRESH)).toEqual({ [EVENT]: '41' });
      expect(await stored(world.store, ANN)).toEqual([`${EVENT} 41 ${old.checked_at}`]);
    },
  );

  it('logs the outage once, and its end once', async () => {
    const world = await createWorld({ events });
    world.poap.reply = () => page(500);
    for (const account of [ANN, BOB, ANN]) await expect(world.tokensOf(account)).rejects.toThrow('500');
    expect(world.said('warn')).toEqual([expect.stringMatching(/^POAP unavailable/)]);
    world.poap.reply = () => notHeld;
    await world.tokensOf(ANN);
    expect(world.said('info')).toEqual([expect.stringMatching(/^POAP available again/)]);
    world.poap.reply = () => page(500);
    await expect(world.tokensOf(BOB)).rejects.toThrow('500');
    expect(world.said('warn')).toHaveLength(2);
  });
});

describe.each(anyEngine)('createPoapBadgeSource with a rejected API key on $name', (engine) => {
  const createWorld = useWorlds(engine);

  it.each([401, 403])('logs a rejected key (%i) once per outage', async (status) => {
    const world = await createWorld();
    const fail = async () => {
      world.poap.reply = () => forbidden(status);
      await expect(world.tokensOf(ANN, FRESH)).rejects.toMatchObject({ fault: { kind: 'http', status } });
    };
    await fail();
    // Another failure in between does not reset the state.
    world.poap.reply = () => page(400);
    await expect(world.tokensOf(ANN)).rejects.toThrow('400');
    await fail();
    expect(world.said('error')).toEqual([expect.stringMatching(REFUSED)]);
    expect(world.said('error')[0]).toContain(`HTTP ${status}`);
    world.poap.reply = () => notHeld;
    await world.tokensOf(BOB);
    await fail();
    expect(world.said('error')).toHaveLength(2);
  });

  it('never logs the API key, even if the response contains it', async () => {
    const world = await createWorld();
    for (const reply of [
      forbidden(401),
      forbidden(500),
      text(200, KEY),
      forbidden(200),
      page(302, { location: KEY }),
    ]) {
      world.poap.reply = () => reply;
      await expect(world.tokensOf(ANN)).rejects.toThrow();
    }
    expect(world.lines.length).toBeGreaterThan(5);
    expect(JSON.stringify(world.lines)).not.toContain(KEY);
  });
});

describe.each(anyEngine)('the Retry-After of POAP on $name', (engine) => {
  const createWorld = useWorlds(engine);

  it.each([
    ['7', 7_000],
    ['120', 60_000],
    ['0', 500],
  ])('is honoured up to the limit: %s s', async (retryAfter, pause) => {
    const world = await createWorld({ events });
    world.poap.reply = inTurn(tooMany(retryAfter), held('42'));
    expect(await world.tokensOf(ANN)).toEqual({ [EVENT]: '42' });
    expect(world.pauses).toEqual([pause]);
  });

  it.each([tooMany('7'), tooMany(), page(503, { 'retry-after': '7' })])('delays all requests', async (refusal) => {
    const world = await createWorld({ events });
    world.holdsPauses = true;
    world.poap.reply = inTurn(refusal, held('42'));
    const ann = world.tokensOf(ANN);
    await vi.waitFor(() => expect(world.pauses).toHaveLength(1));
    world.poap.reply = () => held('42');
    const bob = world.tokensOf(BOB);
    await vi.waitFor(() => expect(world.waiting()).toBe(2));
    expect(world.asked).toEqual([`${ANN}/${EVENT}`]);
    world.endPauses();
    expect(await Promise.all([ann, bob])).toEqual([{ [EVENT]: '42' }, { [EVENT]: '42' }]);
    expect(world.asked).toHaveLength(3);
  });

  it('delays requests until the latest of several times', async () => {
    const world = await createWorld({ events: ['1', '2'] });
    world.holdsPauses = true;
    const release = world.poap.hold();
    world.poap.reply = ({ eventId }) => tooMany(eventId);
    const answer = world.tokensOf(ANN);
    await vi.waitFor(() => expect(world.poap.asked).toHaveLength(2));
    release();
    await vi.waitFor(() => expect([...world.pauses].sort()).toEqual([1_000, 2_000]));
    world.poap.reply = () => held('42');
    world.endPauses(1_000);
    // A database round trip lets all pending callbacks run.
    expect(await stored(world.store, ANN)).toEqual([]);
    expect(world.asked).toHaveLength(2);
    world.endPauses(2_000);
    expect(await answer).toEqual({ 1: '42', 2: '42' });
  });

  it('is not assumed for a failure of one request', async () => {
    const world = await createWorld({ events });
    world.holdsPauses = true;
    world.poap.reply = ({ address }) => (address === ANN ? page(500) : held('42'));
    const ann = world.tokensOf(ANN);
    await vi.waitFor(() => expect(world.pauses).toHaveLength(1));
    expect(await world.tokensOf(BOB)).toEqual({ [EVENT]: '42' });
    world.poap.reply = () => held('42');
    world.endPauses();
    expect(await ann).toEqual({ [EVENT]: '42' });
  });
});

describe.each(anyEngine)('badge requests on $name', (engine) => {
  const createWorld = useWorlds(engine);

  it('respect the concurrency limit over all accounts', async () => {
    const world = await createWorld({ concurrency: 2 });
    const release = world.poap.hold();
    const answers = [ANN, BOB].map((account) => world.tokensOf(account));
    await vi.waitFor(() => expect(world.waiting()).toBe(2));
    expect(world.asked).toHaveLength(2);
    release();
    await Promise.all(answers);
    expect(world.asked).toHaveLength(6);
    expect(world.mostAtOnce()).toBe(2);
  });

  it('are rejected if the queue is full, and sent when there is room', async () => {
    const world = await createWorld({ concurrency: 1, maxQueued: 1 });
    const release = world.poap.hold();
    const busy = { kind: 'unreachable', message: 'too many queued requests' };
    const answer = world.tokensOf(ANN);
    await vi.waitFor(() => expect(world.waiting()).toBe(1));
    await expect(world.tokensOf(BOB)).rejects.toMatchObject({ name: 'BusyError', fault: busy });
    release();
    await expect(answer).rejects.toMatchObject({ name: 'BusyError', fault: busy });
    expect(Object.values(await world.tokensOf(ANN))).toEqual([null, null, null]);
  });
});
