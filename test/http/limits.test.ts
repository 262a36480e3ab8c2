import net from 'node:net';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { RawConnection } from './raw-connection.ts';
import { ServiceFixture, STAR } from './support.ts';

const details = `/users/${STAR.address}/details`;

describe.each(anyEngine)('limits', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  it('of the rate count every request of an address, cache hits too, and answer 429 above it', async () => {
    const service = await fixture.serveDemo({ limits: { rateLimit: { requests: 3, seconds: 60 } } });
    const states = [await service.get(details), await service.get(details), await service.get(details)];
    expect(states.map(({ headers }) => headers.get('x-cache'))).toEqual(['MISS', 'HIT', 'HIT']);
    expect(states.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0']);
    const { status, headers, json } = await service.get(details);
    expect([status, json.code, json.detail]).toEqual([429, 'rate-limited', 'more than 3 requests in 60 seconds']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-limit')).toBe('3');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('of the rate do not apply to health checks and metrics', async () => {
    const service = await fixture.serveDemo({ limits: { rateLimit: { requests: 1, seconds: 60 } } });
    for (const path of ['/health', '/health', '/ready', '/metrics', '/metrics', '/status']) {
      expect((await fetchAnswer(`${service.url}${path}`)).status).toBe(200);
    }
  });

  it('of the rate use the address that a trusted proxy forwards', async () => {
    const limits = { rateLimit: { requests: 1, seconds: 60 }, trustProxy: '127.0.0.1' };
    const service = await fixture.serveDemo({ limits });
    const from = async (address: string) =>
      (await service.get(details, { headers: { 'x-forwarded-for': address } })).status;
    expect([await from('10.0.0.1'), await from('10.0.0.1'), await from('10.0.0.2')]).toEqual([200, 429, 200]);
  });

  it.each([
    ['with a port', '10.0.0.1', '10.0.0.1:4711'],
    ['with a port, of IPv6', '2001:db8::1', '[2001:db8::1]:4711'],
    ['with zeros', '10.0.0.1', '10.0.0.01'],
    ['in another notation of IPv6', '::ffff:10.0.0.1', '10.0.0.1'],
    ['of the same IPv6 network', '2001:db8::1', '2001:db8::ffff:2'],
  ])('of the rate count an address %s as the same client', async (_, first, second) => {
    const limits = { rateLimit: { requests: 1, seconds: 60 }, trustProxy: '127.0.0.1' };
    const service = await fixture.serveDemo({ limits });
    const from = async (address: string) =>
      (await service.get(details, { headers: { 'x-forwarded-for': address } })).status;
    expect([await from(first), await from(second), await from('10.0.0.2')]).toEqual([200, 429, 200]);
  });

  it.each(['/api/v1/nowhere', '/nowhere'])('of the rate count requests for the unknown path %s', async (path) => {
    const service = await fixture.serveDemo({ limits: { rateLimit: { requests: 1, seconds: 60 } } });
    const status = async () => (await fetchAnswer(`${service.url}${path}`)).status;
    expect([await status(), await status()]).toEqual([404, 429]);
    expect((await fetchAnswer(`${service.url}/health`)).status).toBe(200);
  });

  it('of the rate ignore a forwarded address without a trusted proxy', async () => {
    const service = await fixture.serveDemo({ limits: { rateLimit: { requests: 1, seconds: 60 } } });
    const from = async (address: string) =>
      (await service.get(details, { headers: { 'x-forwarded-for': address } })).status;
    expect([await from('10.0.0.1'), await from('10.0.0.2')]).toEqual([200, 429]);
  });

  it('of cache=fresh make further requests as those without it', async () => {
    const service = await fixture.serveDemo({ limits: { freshRateLimit: { requests: 1, seconds: 60 } } });
    const get = async (query: string) => {
      const { status, headers, text } = await service.get(details + query);
      return { status, state: headers.get('x-cache'), remaining: headers.get('ratelimit-remaining'), text };
    };
    const first = await get('?cache=fresh');
    expect(first).toMatchObject({ status: 200, state: 'FRESH', remaining: '0' });
    expect(await get('?cache=fresh')).toEqual({ ...first, state: 'HIT' });
    expect(await get('')).toMatchObject({ status: 200, state: 'HIT', remaining: null });
    // What nobody has asked for is computed, and cached for both.
    expect(await get('?a=1&cache=fresh')).toEqual({ ...first, state: 'MISS' });
    expect(await get('?a=1')).toMatchObject({ status: 200, state: 'HIT' });
    expect(await get('?a=1&cache=fresh')).toEqual({ ...first, state: 'HIT' });
  });

  it('of connections close further ones at once', async () => {
    const service = await fixture.serveDemo({ limits: { maxConnections: 2 } });
    const open = async () => {
      const connection = await RawConnection.open(service.url);
      onTestFinished(() => connection.close());
      return connection;
    };
    const first = await open();
    await open();
    expect(await (await open()).next()).toBeNull();
    await first.send(`GET /health HTTP/1.1\r\nHost: kith\r\n\r\n`);
    expect((await first.next())?.statusLine).toBe('HTTP/1.1 200 OK');
  });

  it('of the headers keep a thousand incomplete requests from delaying others', async () => {
    const service = await fixture.serveDemo();
    const { hostname, port } = new URL(service.url);
    const sockets = Array.from({ length: 1000 }, () => net.connect(Number(port), hostname));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets) socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nX-Slow: ');
    await waitFor(() => expect(sockets.every(({ connecting }) => !connecting)).toBe(true));
    expect((await fetchAnswer(`${service.url}/api/v1${details}`)).status).toBe(200);
  });

  it('of the event loop reject lookups with 503 and Retry-After while it is late, but not health checks', async () => {
    const service = await fixture.serveDemo({ limits: { maxEventLoopDelayMs: 50 } });
    const rejected = async () => {
      const busyUntil = performance.now() + 300;
      while (performance.now() < busyUntil);
      const answer = await service.get(details);
      return answer.status === 503 ? answer : expect.fail(`status ${answer.status}`);
    };
    const { headers, json } = await waitFor(rejected);
    const [retryAfter, connection] = [headers.get('retry-after'), headers.get('connection')];
    expect([json.code, retryAfter, connection]).toEqual(['overloaded', '1', 'close']);
    expect((await fetchAnswer(`${service.url}/health`)).status).toBe(200);
    await waitFor(async () => expect((await service.get(details)).status).toBe(200));
  });
});

describe.each(anyEngine)('security headers', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  it.each([
    '/health',
    '/metrics',
    '/api/v1/nowhere',
    `/api/v1${details}`,
    '/openapi.json',
    '/api/v1/lists/%zz/details',
  ])('are on the response to %s', async (path) => {
    const service = await fixture.serveDemo();
    const { headers } = await fetchAnswer(`${service.url}${path}`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  it('of the documentation page allow only its own resources', async () => {
    const service = await fixture.serveDemo();
    const { headers, text } = await fetchAnswer(`${service.url}/docs`);
    expect(text).toContain('swagger-ui');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https?:/);
  });
});
