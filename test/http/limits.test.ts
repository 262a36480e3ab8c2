import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import net from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { NOW, ServiceFixture, STAR } from './support.ts';

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

  it('of the rate apply to every route except probes', async () => {
    const routes: { method: string; url: string }[] = [];
    const onInit = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance };
      fastify.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) routes.push({ method: one, url });
      });
    };
    subscribe('fastify.initialization', onInit);
    onTestFinished(() => void unsubscribe('fastify.initialization', onInit));
    const service = await fixture.serveDemo({ limits: { rateLimit: { requests: 1, seconds: 60 } } });
    const statusOf = async (path: string, method = 'GET') =>
      (await fetchAnswer(`${service.url}${path}`, { method, redirect: 'manual' })).status;
    expect(await statusOf('/openapi.json')).toBe(200);
    const unlimited: string[] = [];
    for (const { method, url } of routes) {
      // Answers to preflight requests are constant.
      if (method === 'OPTIONS') continue;
      const status = await statusOf(url.replace(/:\w+/g, '1').replace('*', 'a'), method);
      if (status !== 429) unlimited.push(`${method} ${url} ${status}`);
    }
    expect(routes.map(({ url }) => url)).toEqual(
      expect.arrayContaining([
        '/',
        '/docs',
        '/status',
        '/metrics',
        '/account/:id',
        '/api/v1/users/:addressOrENS/details',
      ]),
    );
    expect(unlimited.toSorted()).toEqual(['GET /health 200', 'GET /ready 200', 'HEAD /health 200', 'HEAD /ready 200']);
  });

  it('of the rate count a page once, whose numbers are looked up in the same process', async () => {
    const service = await fixture.serveDemo({ limits: { rateLimit: { requests: 2, seconds: 60 } } });
    const remaining = async () =>
      (await fetchAnswer(`${service.url}/account/${STAR.address}`)).headers.get('ratelimit-remaining');
    expect([await remaining(), await remaining()]).toEqual(['1', '0']);
  });

  it('of the rate end after their time, whatever happens to the system clock', async () => {
    let [now, elapsed] = [NOW * 1000, 0];
    const limits = { rateLimit: { requests: 1, seconds: 60 } };
    const service = await fixture.serveDemo({ limits, now: () => now, monotonic: () => elapsed });
    const get = async () => {
      const { status, headers } = await service.get(details);
      return [status, headers.get('ratelimit-reset')];
    };
    expect(await get()).toEqual([200, '60']);
    now += 86_400_000;
    elapsed += 59_000;
    expect(await get()).toEqual([429, '1']);
    now -= 2 * 86_400_000;
    elapsed += 1_000;
    expect(await get()).toEqual([200, '60']);
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
    const stats = details.replace('details', 'stats');
    const other = async (query: string) => (await service.get(stats + query)).headers.get('x-cache');
    expect([await other('?cache=fresh'), await other(''), await other('?cache=fresh')]).toEqual(['MISS', 'HIT', 'HIT']);
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
    const { headers } = await fetchAnswer(`${service.url}/docs`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).not.toMatch(/unsafe/);
  });
});
