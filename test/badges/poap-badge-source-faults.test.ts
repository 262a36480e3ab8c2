import { describe, expect, it, vi } from 'vitest';
import { RemoteError } from '../../src/remote/remote-error.ts';
import { anyEngine } from '../support/engines.ts';
import { waitFor } from '../support/wait-for.ts';
import { ANN, BOB, HELD_MS, inTurn, KEY, NOW, put, row, stored, useBadgeSetup } from './badge-setup.ts';
import { dropped, forbidden, held, notHeld, page, type Reply, silent, text, tooMany } from './fake-poap.ts';

const EVENT = '177709';
const OTHER = `0x${'c'.repeat(40)}` as const;
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
  const setUp = useBadgeSetup(engine);

  it.each(quick)('retries a transient failure: %s', async (_, fault) => {
    const setup = await setUp({ events });
    setup.poap.reply = inTurn(fault, fault, held('42'));
    expect(await setup.tokensOf(ANN)).toEqual({ [EVENT]: '42' });
    expect(setup.pauses).toEqual([500, 1_000]);
  });

  it('retries a timeout', async () => {
    // A fake timeout: a real one would be either slow or flaky.
    const fetchBadge = vi.fn().mockRejectedValueOnce(timeout).mockRejectedValueOnce(timeout);
    const setup = await setUp({ events, client: { fetchBadge: fetchBadge.mockResolvedValue(old) } });
    expect(await setup.tokensOf(ANN)).toEqual({ [EVENT]: '41' });
    expect(setup.pauses).toEqual([500, 1_000]);
  });

  it.each(passing)('throws after repeated transient failures, never returns not held: %s', async (_, fault) => {
    const setup = await setUp({ events, timeoutMs: 20 });
    setup.poap.reply = () => fault;
    await expect(setup.tokensOf(ANN)).rejects.toMatchObject({ name: 'RemoteError' });
    expect(setup.requests).toHaveLength(3);
    expect(await stored(setup.store, ANN)).toEqual([]);
  });

  it.each([
    ['a rejected key', forbidden(401)],
    ['a forbidden key', forbidden(403)],
    ['an HTML page with status 404', page(404)],
    ['a response that is not JSON', text(200, 'OK')],
    ['a bad request', page(400)],
  ])('throws without a retry for a permanent failure: %s', async (_, fault) => {
    const setup = await setUp({ events });
    setup.poap.reply = () => fault;
    await expect(setup.tokensOf(ANN)).rejects.toMatchObject({ name: 'RemoteError' });
    expect(setup.requests).toHaveLength(1);
    expect(await stored(setup.store, ANN)).toEqual([]);
  });

  it.each([...passing, ['a rejected key', forbidden(401)] as const])(
    'serves stored badges during a failure: %s',
    async (_, fault) => {
      const setup = await setUp({ events, timeoutMs: 20 });
      await put(setup.store, [old]);
      setup.poap.reply = () => fault;
      expect(await setup.tokensOf(ANN)).toEqual({ [EVENT]: '41' });
      expect(await setup.tokensOf(ANN, FRESH)).toEqual({ [EVENT]: '41' });
      expect(await stored(setup.store, ANN)).toEqual([`${EVENT} 41 ${old.checked_at}`]);
    },
  );

  it('logs the outage once, and its end once', async () => {
    const setup = await setUp({ events });
    setup.poap.reply = () => page(500);
    for (const account of [ANN, BOB, ANN]) await expect(setup.tokensOf(account)).rejects.toThrow('500');
    expect(setup.messages('warn')).toEqual([expect.stringMatching(/^POAP unavailable/)]);
    setup.poap.reply = () => notHeld;
    await setup.tokensOf(ANN);
    expect(setup.messages('info')).toEqual([expect.stringMatching(/^POAP available again/)]);
    setup.poap.reply = () => page(500);
    await expect(setup.tokensOf(BOB)).rejects.toThrow('500');
    expect(setup.messages('warn')).toHaveLength(2);
  });
});

describe.each(anyEngine)('createPoapBadgeSource with a rejected API key on $name', (engine) => {
  const setUp = useBadgeSetup(engine);

  it.each([401, 403])('logs a rejected key (%i) once per outage', async (status) => {
    const setup = await setUp();
    const fail = async () => {
      setup.poap.reply = () => forbidden(status);
      await expect(setup.tokensOf(ANN, FRESH)).rejects.toMatchObject({ fault: { kind: 'http', status } });
    };
    await fail();
    // Another failure in between does not reset the state.
    setup.poap.reply = () => page(400);
    await expect(setup.tokensOf(ANN)).rejects.toThrow('400');
    await fail();
    expect(setup.messages('error')).toEqual([expect.stringMatching(REFUSED)]);
    expect(setup.messages('error')[0]).toContain(`HTTP ${status}`);
    setup.poap.reply = () => notHeld;
    await setup.tokensOf(BOB);
    await fail();
    expect(setup.messages('error')).toHaveLength(2);
  });

  it('never logs the API key, even if the response contains it', async () => {
    const setup = await setUp();
    for (const reply of [
      forbidden(401),
      forbidden(500),
      text(200, KEY),
      forbidden(200),
      page(302, { location: KEY }),
    ]) {
      setup.poap.reply = () => reply;
      await expect(setup.tokensOf(ANN)).rejects.toThrow();
    }
    expect(setup.lines.length).toBeGreaterThan(5);
    expect(JSON.stringify(setup.lines)).not.toContain(KEY);
  });
});

describe.each(anyEngine)('the Retry-After of POAP on $name', (engine) => {
  const setUp = useBadgeSetup(engine);

  it.each([
    ['7', 7_000],
    ['120', 60_000],
    ['0', 500],
  ])('is honoured up to the limit: %s s', async (retryAfter, pause) => {
    const setup = await setUp({ events });
    setup.poap.reply = inTurn(tooMany(retryAfter), held('42'));
    expect(await setup.tokensOf(ANN)).toEqual({ [EVENT]: '42' });
    expect(setup.pauses).toEqual([pause]);
  });

  it.each([tooMany('7'), tooMany(), page(503, { 'retry-after': '7' })])('delays all requests', async (refusal) => {
    const setup = await setUp({ events });
    setup.holdsPauses = true;
    setup.poap.reply = inTurn(refusal, held('42'));
    const ann = setup.tokensOf(ANN);
    await waitFor(() => expect(setup.pauses).toHaveLength(1));
    setup.poap.reply = () => held('42');
    const bob = setup.tokensOf(BOB);
    await waitFor(() => expect(setup.waiting()).toBe(2));
    expect(setup.requests).toEqual([`${ANN}/${EVENT}`]);
    setup.endPauses();
    expect(await Promise.all([ann, bob])).toEqual([{ [EVENT]: '42' }, { [EVENT]: '42' }]);
    expect(setup.requests).toHaveLength(3);
  });

  it('delays requests until the latest of several times', async () => {
    const setup = await setUp({ events: ['1', '2'] });
    setup.holdsPauses = true;
    const release = setup.poap.hold();
    setup.poap.reply = ({ eventId }) => tooMany(eventId);
    const answer = setup.tokensOf(ANN);
    await waitFor(() => expect(setup.poap.requests).toHaveLength(2));
    release();
    await waitFor(() => expect([...setup.pauses].sort()).toEqual([1_000, 2_000]));
    setup.poap.reply = () => held('42');
    setup.endPauses(1_000);
    // A database round trip lets all pending callbacks run.
    expect(await stored(setup.store, ANN)).toEqual([]);
    expect(setup.requests).toHaveLength(2);
    setup.endPauses(2_000);
    expect(await answer).toEqual({ 1: '42', 2: '42' });
  });

  it('is not assumed for a failure of one request', async () => {
    const setup = await setUp({ events });
    setup.holdsPauses = true;
    setup.poap.reply = ({ address }) => (address === ANN ? page(500) : held('42'));
    const ann = setup.tokensOf(ANN);
    await waitFor(() => expect(setup.pauses).toHaveLength(1));
    expect(await setup.tokensOf(BOB)).toEqual({ [EVENT]: '42' });
    setup.poap.reply = () => held('42');
    setup.endPauses();
    expect(await ann).toEqual({ [EVENT]: '42' });
  });
});

describe.each(anyEngine)('badge requests on $name', (engine) => {
  const setUp = useBadgeSetup(engine);

  it('respect the concurrency limit over all accounts', async () => {
    const setup = await setUp({ concurrency: 2 });
    const release = setup.poap.hold();
    const answers = [ANN, BOB].map((account) => setup.tokensOf(account));
    await waitFor(() => expect(setup.waiting()).toBe(2));
    expect(setup.requests).toHaveLength(2);
    release();
    await Promise.all(answers);
    expect(setup.requests).toHaveLength(6);
    expect(setup.mostAtOnce()).toBe(2);
  });

  it('are rejected if the queue is full, and sent when there is room', async () => {
    const setup = await setUp({ concurrency: 1, maxQueued: 1 });
    const release = setup.poap.hold();
    const busy = { kind: 'unreachable', message: 'too many lookups wait' };
    const answer = setup.tokensOf(ANN);
    await waitFor(() => expect(setup.waiting()).toBe(1));
    await expect(setup.tokensOf(BOB)).rejects.toMatchObject({ name: 'BusyError', fault: busy });
    release();
    await expect(answer).rejects.toMatchObject({ name: 'BusyError', fault: busy });
    expect(Object.values(await setup.tokensOf(ANN))).toEqual([null, null, null]);
  });

  it('have a rate limit, which leaves a share to the refresh of stale badges', async () => {
    // A burst of three requested badges, and of one that is refreshed.
    const setup = await setUp({ callsPerSecond: 1, deadlineMs: 1_000 });
    await setup.tokensOf(ANN);
    await expect(setup.tokensOf(BOB)).rejects.toMatchObject({ name: 'BusyError' });
    expect(setup.requests).toHaveLength(3);
    setup.now += HELD_MS;
    await setup.tokensOf(BOB);
    await expect(setup.tokensOf(OTHER)).rejects.toMatchObject({ name: 'BusyError' });
    expect(setup.requests).toHaveLength(6);
    expect(Object.values(await setup.tokensOf(ANN))).toEqual([null, null, null]);
    await waitFor(() => expect(setup.requests).toHaveLength(7));
  });

  it('beyond the rate limit are not logged as an outage', async () => {
    const setup = await setUp({ callsPerSecond: 1, deadlineMs: 1_000 });
    await setup.tokensOf(ANN);
    await expect(setup.tokensOf(BOB)).rejects.toMatchObject({ name: 'BusyError' });
    expect([...setup.messages('warn'), ...setup.messages('error')]).toEqual([
      'rate limit of a source reached, serving stored data',
    ]);
  });
});
