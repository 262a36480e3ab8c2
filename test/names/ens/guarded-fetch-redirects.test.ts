import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../../src/remote/guarded-fetch.ts';
import { type GatewayServer, type Handler, reply, startGateway } from './gateway-server.ts';
import { isAllowed, lookupOf, NOT_PUBLIC, portOf } from './loopback.ts';

let server: GatewayServer;
beforeEach(async () => {
  server = await startGateway(reply(200, 'hello'));
});
afterEach(() => server.stop());

const url = (path = '/') => `${server.origin}${path}`;

describe('createGuardedFetch with a redirect', () => {
  const redirect = (status: number, location: string): Handler => reply(status, '', { location });
  /** Redirects `/`, and responds to other paths. */
  const from = (first: Handler): Handler => {
    return (request, response) => (request.path === '/' ? first : reply(200, request.path))(request, response);
  };

  it.each([301, 302, 303, 307, 308])('follows the status %i', async (status) => {
    server.handler = from(redirect(status, '/there'));
    expect(await createGuardedFetch({ isAllowed })(url())).toMatchObject({ status: 200, text: '/there' });
  });

  it.each([301, 302, 303])('changes POST to GET after the status %i', async (status) => {
    server.handler = from(redirect(status, '/there'));
    await createGuardedFetch({ isAllowed })(url(), '{}');
    expect(server.requests[1]).toMatchObject({ method: 'GET', body: '' });
  });

  it.each([307, 308])('keeps POST after the status %i', async (status) => {
    server.handler = from(redirect(status, '/there'));
    await createGuardedFetch({ isAllowed })(url(), '{}');
    expect(server.requests[1]).toMatchObject({ method: 'POST', body: '{}' });
  });

  it('returns a redirect without a Location', async () => {
    server.handler = reply(302, 'somewhere');
    expect(await createGuardedFetch({ isAllowed })(url())).toMatchObject({ status: 302, text: 'somewhere' });
  });

  /** Redirects `/0` to `/1` and so on, and responds at `/count`. */
  const redirectTimes = (count: number): Handler => {
    return (request, response) => {
      const at = Number(request.path.slice(1));
      (at === count ? reply(200, 'arrived') : redirect(302, `/${at + 1}`))(request, response);
    };
  };

  it('follows three redirects', async () => {
    server.handler = redirectTimes(3);
    expect((await createGuardedFetch({ isAllowed })(url('/0'))).text).toBe('arrived');
  });

  it('does not follow a fourth redirect', async () => {
    server.handler = redirectTimes(4);
    await expect(createGuardedFetch({ isAllowed })(url('/0'))).rejects.toThrow('too many redirects');
  });

  it.each([
    ['to an address that is not public', 'http://169.254.169.254/latest/meta-data/', NOT_PUBLIC],
    ['to the IPv6 loopback address', 'http://[::1]/', NOT_PUBLIC],
    ['to a file', 'file:///etc/passwd', 'the URL is neither http nor https'],
    ['with credentials', 'http://user:password@127.0.0.1/', 'the URL contains credentials'],
    ['to an invalid URL', 'http://', 'the URL is invalid'],
  ])('rejects a redirect %s', async (_what, location, message) => {
    server.handler = redirect(302, location);
    await expect(createGuardedFetch({ isAllowed })(url())).rejects.toThrow(message);
  });

  it('rejects a redirect to a host with a non-public address, without connecting', async () => {
    const inside = await startGateway();
    const { lookup } = lookupOf(['127.0.0.1'], ['127.0.0.2']);
    server.handler = redirect(302, `http://inside.example:${portOf(inside)}/`);
    const fetch = createGuardedFetch({ isAllowed, lookup });
    await expect(fetch(`http://outside.example:${portOf(server)}/`)).rejects.toThrow(NOT_PUBLIC);
    const connections = inside.connections();
    await inside.stop();
    expect(connections).toBe(0);
  });

  it('checks the addresses of the same host again', async () => {
    const { lookup, hosts } = lookupOf(['127.0.0.1'], ['10.0.0.1']);
    server.handler = redirect(302, '/there');
    const fetch = createGuardedFetch({ isAllowed, lookup });
    await expect(fetch(`http://rebinding.example:${portOf(server)}/`)).rejects.toThrow(NOT_PUBLIC);
    expect(hosts).toHaveLength(2);
  });
});
