import { describe, expect, it, onTestFinished } from 'vitest';
import { createPoapClient } from '../../src/badges/poap-client.ts';
import { RemoteError } from '../../src/remote/remote-error.ts';
import { ANN, BOB, KEY } from './badge-setup.ts';
import {
  badgeBody,
  body,
  dropped,
  type FakePoap,
  forbidden,
  held,
  notHeld,
  page,
  type Reply,
  silent,
  startFakePoap,
  text,
  tooMany,
} from './fake-poap.ts';

const EVENT = '177709';
const never = new AbortController().signal;
const own = badgeBody({ address: ANN, eventId: EVENT });

interface Setting {
  readonly path?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

async function start(reply: Reply): Promise<FakePoap> {
  const poap = await startFakePoap();
  onTestFinished(() => poap.stop());
  poap.reply = () => reply;
  return poap;
}

async function fetchFrom(poap: FakePoap, setting: Setting = {}) {
  const { path = '', timeoutMs = 60_000, signal = never, now = () => 5 } = setting;
  const client = createPoapClient({ url: `${poap.url}${path}`, key: KEY, fetch, timeoutMs, now });
  return client.fetchBadge(ANN, EVENT, signal);
}

async function faultOf(asking: Promise<unknown>): Promise<RemoteError['fault']> {
  const error = await asking.then(
    () => expect.unreachable(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RemoteError)) throw error;
  expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain(KEY);
  return error.fault;
}

describe('fetchBadge', () => {
  it('requests account and event, with the API key in a header only', async () => {
    const poap = await start(held());
    await fetchFrom(poap);
    expect(poap.requests).toMatchObject([{ path: `/actions/scan/${ANN}/${EVENT}`, headers: { 'x-api-key': KEY } }]);
  });

  it.each(['/', '/v2', '/v2/', '/v2//'])('requests a path below the base URL %s', async (path) => {
    const poap = await start(held());
    await fetchFrom(poap, { path });
    expect(poap.requests[0]?.path).toBe(`${path.replace(/\/+$/, '')}/actions/scan/${ANN}/${EVENT}`);
  });

  it('returns the row of a held badge without unknown fields', async () => {
    const { event_id, address, collection, checked_at } = await fetchFrom(await start(held('42')));
    expect({ event_id, address, checked_at }).toEqual({ event_id: EVENT, address: ANN, checked_at: 5 });
    const { from_admin, virtual_event, event_template_id, private_event, supply, ...event } = own.event;
    expect(JSON.parse(collection ?? '')).toEqual({ event, tokenId: '42', owner: ANN });
  });

  it('returns a row without a collection for a 404 of the API', async () => {
    const row = await fetchFrom(await start(notHeld));
    expect(row).toEqual({ address: ANN, event_id: EVENT, collection: null, checked_at: 5 });
  });

  it.each([held(), notHeld])('sets checked_at to the start of the request', async (reply) => {
    let time = 1_000;
    const poap = await start((response, received) => {
      time = 2_000;
      reply(response, received);
    });
    expect(await fetchFrom(poap, { now: () => time })).toMatchObject({ checked_at: 1_000 });
  });
});

describe('fetchBadge with a failure', () => {
  it.each([
    ['an HTML page', page(404)],
    ['an empty body', text(404, '')],
    ['a JSON string', body(404, 'Not Found')],
    ['an array', body(404, [])],
    ['null', body(404, null)],
    ['truncated JSON', text(404, '{"statusCode":404,')],
    [
      'the error for an unknown route',
      body(404, { statusCode: 404, error: 'Not Found', message: 'Route GET:/x not found' }),
    ],
    ['the error of a gateway for an unknown route', body(404, { message: 'no Route matched with those values' })],
  ])('throws for a 404 with %s', async (_, reply) => {
    expect(await faultOf(fetchFrom(await start(reply)))).toMatchObject({ kind: 'malformed' });
  });

  it('throws for a response that is larger than the limit', async () => {
    const reply = body(200, { ...own, padding: 'x'.repeat(2 ** 20) });
    expect(await faultOf(fetchFrom(await start(reply)))).toMatchObject({ kind: 'oversized' });
  });

  it.each([401, 403])('throws for a rejected key with the status %i', async (status) => {
    const fault = await faultOf(fetchFrom(await start(forbidden(status))));
    expect(fault).toEqual({ kind: 'http', status, retryAfterMs: null });
  });

  it('throws for a rate limit, with the Retry-After', async () => {
    const fault = await faultOf(fetchFrom(await start(tooMany('7'))));
    expect(fault).toEqual({ kind: 'http', status: 429, retryAfterMs: 7_000 });
  });

  it.each([500, 502, 503, 504])('throws for the status %i', async (status) => {
    const fault = await faultOf(fetchFrom(await start(page(status, { 'retry-after': '3' }))));
    expect(fault).toEqual({ kind: 'http', status, retryAfterMs: 3_000 });
  });

  it.each([204, 400, 410])('throws for another status, such as %i', async (status) => {
    expect(await faultOf(fetchFrom(await start(page(status))))).toMatchObject({ kind: 'http', status });
  });

  it.each([
    ['not JSON', text(200, '<h1>Welcome</h1>')],
    ['truncated', text(200, JSON.stringify(own).slice(0, 200))],
    ['empty', text(200, '')],
    ['null', body(200, null)],
    ['an array', body(200, [own])],
    ['for another event', body(200, badgeBody({ address: ANN, eventId: '178064' }))],
    ['for another owner', body(200, badgeBody({ address: BOB, eventId: EVENT }))],
    ['without an owner', body(200, { ...own, owner: null })],
    ['without a token', body(200, { ...own, tokenId: null })],
    ['without an event', body(200, { tokenId: '1', owner: ANN })],
  ])('throws for a response that is %s', async (_, reply) => {
    expect(await faultOf(fetchFrom(await start(reply)))).toMatchObject({ kind: 'malformed' });
  });

  it.each([`${KEY} is no token`, `${'x'.repeat(65)}${KEY}`])(
    'does not show the API key in the error if the response contains it (%s)',
    async (tokenId) => {
      const fault = await faultOf(fetchFrom(await start(body(200, { ...own, tokenId }))));
      expect(fault).toEqual({ kind: 'malformed', message: 'tokenId: expected a token number' });
    },
  );

  it('throws for a redirect and does not send the API key to another host', async () => {
    const other = await start(held());
    const poap = await start(page(302, { location: other.url }));
    expect(await faultOf(fetchFrom(poap))).toMatchObject({ kind: 'http', status: 302 });
    expect(other.requests).toEqual([]);
  });

  it('throws if the connection is dropped', async () => {
    expect(await faultOf(fetchFrom(await start(dropped)))).toMatchObject({ kind: 'unreachable' });
  });

  it('throws on a timeout', async () => {
    expect(await faultOf(fetchFrom(await start(silent), { timeoutMs: 20 }))).toEqual({ kind: 'timeout' });
  });

  it('throws when the signal is aborted', async () => {
    const ending = new AbortController();
    const poap = await start(() => ending.abort());
    expect(await faultOf(fetchFrom(poap, { signal: ending.signal }))).toMatchObject({ kind: 'unreachable' });
  });
});
