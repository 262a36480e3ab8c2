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

describe('createGuardedFetch with an allowed address', () => {
  it('returns the response', async () => {
    server.handler = reply(203, 'καλημέρα');
    expect(await createGuardedFetch({ isAllowed })(url())).toMatchObject({ status: 203, text: 'καλημέρα' });
  });

  it.each([404, 500])('returns a response of the status %i', async (status) => {
    server.handler = reply(status, 'why');
    expect(await createGuardedFetch({ isAllowed })(url())).toMatchObject({ status, text: 'why' });
  });

  it('sends a GET without a body', async () => {
    await createGuardedFetch({ isAllowed })(url('/a?b=c'));
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/a?b=c', body: '' }]);
  });

  it('posts a body as JSON', async () => {
    await createGuardedFetch({ isAllowed })(url(), '{"data":"0x"}');
    expect(server.requests).toMatchObject([
      { method: 'POST', body: '{"data":"0x"}', headers: { 'content-type': 'application/json' } },
    ]);
  });

  it('uses a new connection and requests no compression', async () => {
    await createGuardedFetch({ isAllowed })(url());
    expect(server.requests).toMatchObject([{ headers: { connection: 'close', 'accept-encoding': 'identity' } }]);
  });

  it('connects to the resolved address with the Host header of the URL', async () => {
    const { lookup } = lookupOf(['127.0.0.1']);
    await createGuardedFetch({ isAllowed, lookup })(`http://gateway.example:${portOf(server)}/`);
    expect(server.requests).toMatchObject([{ headers: { host: `gateway.example:${portOf(server)}` } }]);
  });

  it('resolves the host once, which prevents DNS rebinding', async () => {
    const { lookup, hosts } = lookupOf(['127.0.0.1'], ['127.0.0.2']);
    const fetch = createGuardedFetch({ isAllowed, lookup });
    expect((await fetch(`http://rebinding.example:${portOf(server)}/`)).text).toBe('hello');
    expect(hosts).toEqual(['rebinding.example']);
  });

  it('tries the next address if the first refuses the connection', async () => {
    const { lookup } = lookupOf(['127.0.0.2', '127.0.0.1']);
    const fetch = createGuardedFetch({ lookup, isAllowed: (address) => address.startsWith('127.') });
    expect((await fetch(`http://gateway.example:${portOf(server)}/`)).text).toBe('hello');
  });

  it('connects to the resolved address with TLS too', async () => {
    const { lookup } = lookupOf(['127.0.0.1']);
    const fetch = createGuardedFetch({ isAllowed, lookup });
    // The server does not support TLS.
    await expect(fetch(`https://gateway.example:${portOf(server)}/`)).rejects.toThrow('unreachable: ');
    expect(server.connections()).toBe(1);
  });
});

describe('SSRF protection without a connection', () => {
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '0.0.0.0',
    '[::]',
  ])('rejects the loopback host spelled %s', async (host) => {
    await expect(createGuardedFetch()(`http://${host}:${portOf(server)}/`)).rejects.toThrow(NOT_PUBLIC);
    expect(server.connections()).toBe(0);
  });

  it.each(['169.254.169.254', '10.0.0.1', '192.168.0.1', '100.64.0.1', '[::1]', '[fd00::1]', '[64:ff9b::7f00:1]'])(
    'rejects the non-public host %s',
    async (host) => {
      await expect(createGuardedFetch()(`http://${host}/`)).rejects.toThrow(NOT_PUBLIC);
    },
  );

  it.each([
    ['a loopback address', ['127.0.0.1']],
    ['a private address', ['10.1.2.3']],
    ['the IPv6 loopback address', ['::1']],
    ['an IPv4-mapped loopback address', ['::ffff:127.0.0.1']],
    ['a public and a loopback address', ['93.184.215.14', '127.0.0.1']],
    ['a loopback and a public address', ['127.0.0.1', '93.184.215.14']],
    ['a public and a link-local address', ['93.184.215.14', 'fe80::1%eth0']],
    ['a value that is not an address', ['localhost']],
  ])('rejects a host that resolves to %s', async (_what, addresses) => {
    const { lookup } = lookupOf(addresses);
    const fetch = createGuardedFetch({ lookup });
    await expect(fetch(`http://innocent.example:${portOf(server)}/`)).rejects.toThrow(NOT_PUBLIC);
    expect(server.connections()).toBe(0);
  });

  it('rejects localhost', async () => {
    const { lookup } = lookupOf(['127.0.0.1', '::1']);
    await expect(createGuardedFetch({ lookup })(`http://localhost:${portOf(server)}/`)).rejects.toThrow(NOT_PUBLIC);
    expect(server.connections()).toBe(0);
  });

  it('rejects a host without an address', async () => {
    const fetch = createGuardedFetch({ lookup: lookupOf([]).lookup });
    await expect(fetch('http://nowhere.example/')).rejects.toThrow('unreachable: the host has no address');
  });

  it('rejects an unknown host', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    const fetch = createGuardedFetch({ lookup });
    await expect(fetch('http://unknown.example/')).rejects.toThrow('unreachable: ENOTFOUND');
  });

  it.each([
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'data:application/json,{"data":"0x"}',
    'javascript:1',
    'ws://127.0.0.1/',
    'blob:http://127.0.0.1/1',
    'x-batch-gateway:true',
  ])('rejects a URL that is neither http nor https: %s', async (text) => {
    const fetch = createGuardedFetch({ isAllowed });
    await expect(fetch(text)).rejects.toThrow('the URL is neither http nor https');
  });

  it.each(['', 'gateway.example', '//gateway.example', 'http://', 'http://a b/'])(
    'rejects an invalid URL: “%s”',
    async (text) => {
      await expect(createGuardedFetch({ isAllowed })(text)).rejects.toThrow('the URL is invalid');
    },
  );

  it.each(['user:password@', 'user@', ':password@'])('rejects a URL with credentials: %s', async (credentials) => {
    const fetch = createGuardedFetch({ isAllowed });
    await expect(fetch(`http://${credentials}${server.host}/`)).rejects.toThrow('the URL contains credentials');
    expect(server.connections()).toBe(0);
  });
});

describe('the error of a rejected URL', () => {
  it.each([
    ['a dropped connection', (_request, response) => response.destroy()],
    ['a redirect', reply(302, '', { location: 'http://127.0.0.2/v2/SECRETKEY' })],
  ] as [string, Handler][])('has no more of the URL than the host: %s', async (_what, handler) => {
    server.handler = handler;
    const failure = createGuardedFetch({ isAllowed })(url('/v2/SECRETKEY?token=SECRETTOKEN'));
    await expect(failure).rejects.toThrow(/^[\d.:]+: gateway: (?!.*(SECRET|v2))/);
  });

  it('does not disclose the resolved address', async () => {
    const fetch = createGuardedFetch({ lookup: lookupOf(['10.20.30.40']).lookup });
    await expect(fetch('http://inside.example/')).rejects.toThrow(
      'inside.example: gateway: unreachable: the host has a non-public address',
    );
  });
});
