import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { type RawAnswer, ServiceFixture, STAR, send } from './support.ts';

const LARGE = `/api/v1/users/${STAR.address}/followers?limit=100`;
const SMALL = `/api/v1/users/${STAR.address}/followers?limit=1`;

describe.each(anyEngine)('compression', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serveDemo();
  });
  afterAll(() => fixture.close());

  const get = (path: string, acceptEncoding: string, headers: Record<string, string> = {}) =>
    send(service.url, { path, headers: { 'accept-encoding': acceptEncoding, ...headers } });
  const encodingOf = async (path: string, acceptEncoding: string) =>
    (await get(path, acceptEncoding)).headers['content-encoding'];

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['gzip;q=0.5, identity', undefined],
    ['*', 'br'],
    ['deflate', undefined],
    ['identity', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['', undefined],
    [';;,,q=', undefined],
  ])('of a large body for Accept-Encoding "%s" is %s', async (acceptEncoding, expected) => {
    expect(await encodingOf(LARGE, acceptEncoding)).toBe(expected);
  });

  it('is not applied for a client that sends no Accept-Encoding', async () => {
    const { headers } = await send(service.url, { path: LARGE });
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('is not applied to a body of at most 4 KiB', async () => {
    expect(await encodingOf(SMALL, 'br, gzip')).toBeUndefined();
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('with %s keeps the body and sends its length, for misses, hits and cache=fresh', async (encoding, decompress) => {
    const expected = (await send(service.url, { path: LARGE })).bytes;
    for (const path of [`${LARGE}&offset=0&a=${encoding}`, `${LARGE}&offset=0&a=${encoding}`, `${LARGE}&cache=fresh`]) {
      const { status, headers, bytes } = await get(path, encoding);
      expect({ status, encoding: headers['content-encoding'] }).toEqual({ status: 200, encoding });
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(bytes.length).toBeLessThan(expected.length / 2);
      expect(decompress(bytes)).toEqual(expected);
    }
  });

  it('sends Vary with every lookup, compressed or not', async () => {
    const etag = String((await get(LARGE, 'br')).headers.etag);
    const responses: RawAnswer[] = [
      await get(LARGE, 'br'),
      await get(LARGE, 'identity'),
      await get(SMALL, 'br'),
      await get(LARGE, 'br', { 'if-none-match': etag }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 304]);
    for (const { headers } of responses) expect(headers.vary).toBe('Accept, Accept-Encoding');
  });

  it('has the weak form of the ETag, and a tag of either form revalidates both encodings', async () => {
    const strong = String((await get(LARGE, 'identity')).headers.etag);
    expect(strong).toMatch(/^"[0-9a-f]+"$/);
    for (const encoding of ['br', 'gzip']) expect((await get(LARGE, encoding)).headers.etag).toBe(`W/${strong}`);
    for (const tag of [strong, `W/${strong}`]) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const { status, headers, body } = await get(LARGE, encoding, { 'if-none-match': tag });
        const etag = encoding === 'identity' ? strong : `W/${strong}`;
        expect({ status, etag: headers.etag, body }).toEqual({ status: 304, etag, body: '' });
        expect(headers['content-encoding']).toBeUndefined();
      }
    }
  });

  it('counts the compressed bodies towards the size of the cache', async () => {
    const path = LARGE.replace(/limit=\d+/, 'limit=60');
    await send(service.url, { path });
    const before = await cacheBytes(service);
    const { bytes } = await get(path, 'gzip');
    expect(await cacheBytes(service)).toBe(before + bytes.length);
    await get(path, 'gzip');
    expect(await cacheBytes(service)).toBe(before + bytes.length);
  });

  it('returns for HEAD the headers of the compressed GET', async () => {
    const ofGet = await get(LARGE, 'br');
    const ofHead = await send(service.url, { path: LARGE, method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    const own = { date: '', 'x-request-id': '' };
    expect({ ...ofHead.headers, ...own }).toEqual({ ...ofGet.headers, ...own });
    expect(ofHead.body).toBe('');
  });

  it.each(['/openapi.json', '/metrics', '/docs'])('is applied to %s too', async (path) => {
    const plain = await send(service.url, { path });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const { status, headers, bytes } = await get(path, 'gzip');
    expect({ status, encoding: headers['content-encoding'] }).toEqual({ status: 200, encoding: 'gzip' });
    expect(headers.vary?.toLowerCase()).toContain('accept-encoding');
    // Metrics change from one request to the next.
    if (path !== '/metrics') expect(gunzipSync(bytes)).toEqual(plain.bytes);
  });
});

describe.each(anyEngine)('compression with the cache off', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterAll(() => fixture.close());

  it('compresses each response', async () => {
    const service = await fixture.serveDemo({ cacheBytes: 0 });
    const expected = (await send(service.url, { path: LARGE })).bytes;
    for (const state of ['MISS', 'MISS']) {
      const { headers, bytes } = await send(service.url, { path: LARGE, headers: { 'accept-encoding': 'br' } });
      expect([headers['x-cache'], headers['content-encoding']]).toEqual([state, 'br']);
      expect(brotliDecompressSync(bytes)).toEqual(expected);
    }
  });
});

async function cacheBytes({ url }: Service): Promise<number> {
  const { text } = await fetchAnswer(`${url}/metrics`);
  return Number(/^kith_cache_bytes (\S+)$/m.exec(text)?.[1] ?? expect.fail('no kith_cache_bytes'));
}
