import type { Answer } from './answer-cache.ts';
import type { Exchange } from './exchange.ts';
import { line } from './head.ts';

export type CacheState = 'HIT' | 'MISS' | 'FRESH';

/** Every origin may read every answer, and keep it as long as it asks whether it still stands. */
const COMMON =
  line('Cache-Control', 'no-cache') +
  line('Access-Control-Allow-Origin', '*') +
  line('Access-Control-Expose-Headers', 'ETag, X-Cache, Retry-After');
const JSON_TYPE = line('Content-Type', 'application/json; charset=utf-8');

/** Sends an answer past the framework, which would cost as much as the answer itself. */
export function sendAnswer(exchange: Exchange, { body, etag }: Answer, cache: CacheState): 200 | 304 {
  const common = line('ETag', etag) + line('X-Cache', cache) + COMMON;
  if (matches(exchange.ifNoneMatch, etag)) {
    exchange.send(304, common, '');
    return 304;
  }
  exchange.send(200, JSON_TYPE + line('Content-Length', String(body.length)) + common, body);
  return 200;
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((given) => given.trim().replace(/^W\//, '') === etag);
}
