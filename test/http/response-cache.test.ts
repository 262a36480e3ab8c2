import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ResponseCache, withoutFresh } from '../../src/http/server/response-cache.ts';

const BODY = `{"name":"${'é'.repeat(3000)}"}`;

function createCache(maxBytes = 2 ** 20) {
  const cache = new ResponseCache({ maxBytes, version: { current: () => 1 }, now: () => 0 });
  const load = async (url: string, body = BODY) => {
    const query = { url, key: url, dependsOnClock: false, run: async () => ({ text: body, link: null }) };
    return cache.load(query);
  };
  return { cache, load };
}

describe('ResponseCache', () => {
  it('stores the UTF-8 bytes of a body', async () => {
    const { cache, load } = createCache();
    await load('/a');
    expect(cache.get('/a')?.body.toString()).toBe(BODY);
  });

  it('compresses a cached body once per encoding, also for concurrent requests', async () => {
    const { cache, load } = createCache();
    const response = await load('/a');
    const first = cache.compress(response, 'br');
    expect(cache.compress(response, 'br')).toBe(first);
    const compressed = await first;
    expect(brotliDecompressSync(compressed).toString()).toBe(BODY);
    const hit = cache.get('/a') ?? expect.fail('no hit');
    expect(await cache.compress(hit, 'br')).toBe(compressed);
    expect(await cache.compress(hit, 'gzip')).not.toBe(compressed);
  });

  it('adds the size of each compressed variant once', async () => {
    const { cache, load } = createCache();
    const response = await load('/a');
    const { bytes } = cache;
    const [br, gzip] = await Promise.all([cache.compress(response, 'br'), cache.compress(response, 'gzip')]);
    expect(cache.bytes).toBe(bytes + br.length + gzip.length);
  });

  it('does not count a variant of a response that was replaced during its compression', async () => {
    const { cache, load } = createCache();
    const compressed = cache.compress(await load('/a'), 'br');
    await load('/a', '{}');
    const { bytes } = cache;
    await compressed;
    expect([cache.bytes, cache.get('/a')?.body.toString()]).toEqual([bytes, '{}']);
  });

  it('compresses responses with the cache off', async () => {
    const { cache, load } = createCache(0);
    const response = await load('/a');
    expect(brotliDecompressSync(await cache.compress(response, 'br')).toString()).toBe(BODY);
    expect([cache.bytes, cache.get('/a')]).toEqual([0, undefined]);
  });
});

describe('withoutFresh', () => {
  it.each([
    ['/a?cache=fresh', '/a'],
    ['/a?limit=1&cache=fresh', '/a?limit=1'],
    ['/a?cache=fresh&limit=1', '/a?limit=1'],
    ['/a?b=c?cache&cache=fresh', '/a?b=c?cache'],
    ['/a?cache=%66resh', null],
    ['/a', null],
  ])('maps %s to the cache key %s', (url, key) => {
    expect(withoutFresh(url)).toBe(key);
  });
});
