import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ResponseCache } from '../../src/http/request/response-cache.ts';

const BODY = `{"name":"${'é'.repeat(3000)}"}`;

const VERSION = '1.1';

function createCache(maxBytes = 2 ** 20) {
  const cache = new ResponseCache({ maxBytes, monotonic: () => 0 });
  const load = (key: string, body = BODY) => cache.add({ key, version: VERSION, expires: 1 }, body, null);
  const get = (key: string) => cache.get(key, VERSION);
  return { cache, load, get };
}

describe('ResponseCache', () => {
  it('stores the UTF-8 bytes of a body', () => {
    const { load, get } = createCache();
    load('/a');
    expect(get('/a')?.body.toString()).toBe(BODY);
  });

  it('compresses a cached body once per encoding, also for concurrent requests', async () => {
    const { cache, load, get } = createCache();
    const response = load('/a');
    const first = cache.compress(response, 'br');
    expect(cache.compress(response, 'br')).toBe(first);
    const compressed = await first;
    expect(brotliDecompressSync(compressed).toString()).toBe(BODY);
    const hit = get('/a') ?? expect.fail('no hit');
    expect(await cache.compress(hit, 'br')).toBe(compressed);
    expect(await cache.compress(hit, 'gzip')).not.toBe(compressed);
  });

  it('adds the size of each compressed variant once', async () => {
    const { cache, load } = createCache();
    const response = load('/a');
    const { bytes } = cache;
    const [br, gzip] = await Promise.all([cache.compress(response, 'br'), cache.compress(response, 'gzip')]);
    expect(cache.bytes).toBe(bytes + br.length + gzip.length);
  });

  it('does not count a variant of a response that was replaced during its compression', async () => {
    const { cache, load, get } = createCache();
    const compressed = cache.compress(load('/a'), 'br');
    load('/a', '{}');
    const { bytes } = cache;
    await compressed;
    expect([cache.bytes, get('/a')?.body.toString()]).toEqual([bytes, '{}']);
  });

  it('stores no response that would take more than a 64th of it', async () => {
    const { cache, load, get } = createCache(64 * 1_000);
    load('/long', 'x'.repeat(1_001));
    expect([get('/long'), cache.bytes]).toEqual([undefined, 0]);
    load('/short', 'x'.repeat(1_000));
    expect(get('/short')?.body).toHaveLength(1_000);
  });

  it('compresses responses with the cache off', async () => {
    const { cache, load, get } = createCache(0);
    const response = load('/a');
    expect(brotliDecompressSync(await cache.compress(response, 'br')).toString()).toBe(BODY);
    expect([cache.bytes, get('/a')]).toEqual([0, undefined]);
  });
});
