import type { Answer } from './answer-cache.ts';
import type { Exchange } from './exchange.ts';

export type CacheState = 'HIT' | 'MISS' | 'FRESH';

/** Sends an answer past the framework, which would cost as much as the answer itself. */
export function sendAnswer(exchange: Exchange, { body, etag }: Answer, cache: CacheState): 200 | 304 {
  if (matches(exchange.ifNoneMatch, etag)) {
    exchange.send(304, ['ETag', etag, 'X-Cache', cache, ...COMMON], '');
    return 304;
  }
  const type = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)];
  exchange.send(200, [...type, 'ETag', etag, 'X-Cache', cache, ...COMMON], body);
  return 200;
}

/** Every origin may read every answer, and keep it as long as it asks whether it still stands. */
const COMMON = [
  'Cache-Control',
  'no-cache',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, X-Cache, Retry-After',
];

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((given) => given.trim().replace(/^W\//, '') === etag);
}
