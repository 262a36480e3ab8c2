import { afterEach, describe, expect, it } from 'vitest';
import { rewindChain } from '../../src/ingest/rewind.ts';
import { createPositionCodec } from '../../src/live/position.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import { expectProblem, ServiceFixture, write } from '../http/support.ts';
import { listOp, opBytes } from '../model/encode-log.ts';
import { anyEngine } from '../support/engines.ts';
import { waitFor } from '../support/wait-for.ts';
import { openStream } from './event-client.ts';
import { ANN, BOB, CAT, followOf, MINT, SLOT } from './event-logs.ts';

describe.each(anyEngine)('event streams on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  async function serve(options: Parameters<ServiceFixture['serve']>[1] = {}) {
    const store = await fixture.open();
    await write(store, MINT);
    const service = await fixture.serve(store, { monotonic: () => performance.now(), ...options });
    return { store, ...service };
  }

  it.each([
    ['role=everyone', 'role must be one of any, source, target'],
    ['type=follow,likes', 'type must be a comma-separated list'],
    ['type=', 'type must not be empty'],
    ['account=', 'account must not be empty'],
    ['account=0x12', 'account must be'],
    ['lists=some', 'lists must be'],
    ['finality=safe', 'finality must be'],
    ['include=badges', 'include must be'],
    ['until=later', 'until must be now'],
    ['since=', 'since must not be empty'],
    ['since=12345', 'since must be 0 or an id'],
    [
      `since=${createPositionCodec(deployments.testnet).encode(new Map())}`,
      'since is an id of a service with other contracts',
    ],
    ['limit=5', 'limit is for pages'],
    ['last=5&limit=2', 'last is a page of its own'],
    ['role=source', 'no event can pass this filter: role=source needs an account'],
    ['tag=gm&type=follow', 'no event can pass this filter: tag is of events'],
  ])('are refused with %s', async (query, detail) => {
    const { get } = await serve();
    expect(expectProblem(await get(`/events?${query}`), { status: 400, code: 'invalid-parameter' })).toContain(detail);
  });

  it.each([
    ['not valid JSON', ''],
    ['an object with the array "accounts"', 'null'],
    ['"accounts" must not be empty', '{"accounts":[]}'],
    ['"accounts" only', `{"accounts":["${ANN}"],"role":"source"}`],
    ['entry 0 of "accounts" must be an address', '{"accounts":["ann.eth"]}'],
    ['at most 10000 entries', JSON.stringify({ accounts: Array(10_001).fill(ANN) })],
  ])('are refused for a body, saying: %s', async (detail, body) => {
    const { get } = await serve();
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body } as const;
    expect(expectProblem(await get('/events', post), { status: 400, code: 'malformed-request' })).toContain(detail);
  });

  it('are refused for a name that nobody holds, for too many accounts, and for a body that is too long', async () => {
    const { get } = await serve();
    expectProblem(await get('/events?account=nobody.eth'), { status: 404, code: 'names-not-resolved' });
    const many = await get(`/events?account=${Array(101).fill(ANN).join(',')}`);
    expect(expectProblem(many, { status: 400, code: 'invalid-parameter' })).toContain('at most 100');
    const body = ' '.repeat(512 * 1024 + 1);
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body } as const;
    expectProblem(await get('/events', post), { status: 413, code: 'body-too-large' });
  });

  it('are limited for each client and in all, which a browser learns from an event', async () => {
    const { url } = await serve({
      eventLimits: { maxStreamsPerClient: 1, maxStreams: 2 },
      limits: { trustProxy: '127.0.0.1' },
    });
    const from = (ip: string) => ({ 'x-forwarded-for': ip });
    const first = await openStream(url, { headers: from('192.0.2.1') });
    const lines = await openStream(url, { format: 'ndjson', headers: from('192.0.2.1') });
    expect([lines.status, lines.headers['retry-after']]).toEqual([429, '5']);
    const browser = await openStream(url, { headers: from('192.0.2.1') });
    await browser.untilEnd();
    expect([browser.status, browser.items]).toMatchObject([
      200,
      [
        { type: 'retry', ms: 5000 },
        { type: 'problem', status: 429, code: 'too-many-streams' },
      ],
    ]);
    const second = await openStream(url, { headers: from('192.0.2.2') });
    const third = await openStream(url, { headers: from('192.0.2.3') });
    await third.untilEnd();
    expect(third.items.at(-1)).toMatchObject({ type: 'problem', status: 503, code: 'overloaded' });
    first.close();
    await waitFor(async () => {
      const again = await openStream(url, { headers: from('192.0.2.1') });
      await waitFor(() => expect(again.items.length).toBeGreaterThan(0));
      again.close();
      expect(again.items[0]).toMatchObject({ type: 'progress' });
    });
    second.close();
  });

  it('tell a browser of the rate limit by an event', async () => {
    const { url } = await serve({ limits: { rateLimit: { requests: 1, seconds: 60 } } });
    const first = await openStream(url);
    const second = await openStream(url);
    await second.untilEnd();
    expect([second.status, second.items.at(-1)]).toMatchObject([200, { type: 'problem', code: 'rate-limited' }]);
    first.close();
  });

  it('are refused with 409 at a position that is still not indexed after the wait', async () => {
    let now = 0;
    const { store, url, get } = await serve({ monotonic: () => (now += 2_000) });
    await write(store, [followOf(BOB)]);
    const page = { headers: { accept: 'application/json' } };
    const { id } = (await get('/events', page)).json;
    await store.transaction((tx) => rewindChain(tx, 8453, 5000));
    const detail = expectProblem(await get(`/events?since=${id}`, page), { status: 409, code: 'position-not-indexed' });
    expect(detail).toContain('block 5001 of chain 8453');
    const stream = await openStream(url, { query: { since: id } });
    await stream.untilEnd();
    expect([stream.status, stream.items.at(-1)]).toMatchObject([200, { type: 'problem', status: 409 }]);
  });

  it('close a reader that takes nothing, with the reason, while others go on', async () => {
    const { store, url } = await serve({ eventLimits: { slowReaderMs: 2_000 } });
    const [slow, reader] = [await openStream(url), await openStream(url)];
    slow.pause();
    const long = Array.from({ length: 30 }, () => listOp(SLOT, opBytes(1, CAT, `0x${'ab'.repeat(50_000)}`)));
    for (let written = 0; written < 3; written++) await write(store, long);
    expect((await reader.until(90)).length).toBe(90);
    const metrics = async () =>
      (await (await fetch(`${url}/metrics`)).text()).match(/ended_total\{reason="slow-reader"\} (\d+)/)?.[1];
    await waitFor(async () => expect(await metrics()).toBe('1'));
    slow.resume();
    await slow.untilEnd();
    expect(slow.events.length).toBeLessThan(90);
    const rest = await openStream(url, { query: { since: slow.lastId() } });
    expect((await rest.until(90 - slow.events.length)).length).toBe(90 - slow.events.length);
    reader.close();
    rest.close();
  });

  it('end after their time, so that balancers can drain', async () => {
    const { url } = await serve({ eventLimits: { maxStreamMs: 1 } });
    const stream = await openStream(url);
    await stream.untilEnd();
    expect(stream.items.at(-1)).toEqual({ type: 'retry', ms: expect.any(Number) });
  });

  it('end at once when the service is closed, each with another time to connect again', async () => {
    const { url, close } = await serve();
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(url)));
    const lines = await openStream(url, { format: 'ndjson' });
    await waitFor(() => expect(streams.every(({ items }) => items.length === 1)).toBe(true));
    await close();
    await lines.untilEnd();
    for (const stream of streams) await stream.untilEnd();
    const retries = streams.map(({ items }) => items.at(-1));
    expect(retries.every(({ type }) => type === 'retry')).toBe(true);
    expect(new Set(retries.map(({ ms }) => ms)).size).toBeGreaterThan(1);
    expect(lines.items.at(-1)).toMatchObject({ type: 'progress' });
  });
});
