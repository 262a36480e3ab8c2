import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer-cache.ts';

export type CacheState = 'HIT' | 'MISS' | 'FRESH';

/** Sends an answer past the framework, which would cost as much as the answer itself. */
export function sendAnswer(req: IncomingMessage, res: ServerResponse, answer: Answer, cache: CacheState): 200 | 304 {
  if (matches(req.headers['if-none-match'], answer.etag)) {
    res.writeHead(304, ['ETag', answer.etag, 'X-Cache', cache, ...COMMON]);
    res.end();
    return 304;
  }
  res.writeHead(200, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(answer.body.length),
    'ETag',
    answer.etag,
    'X-Cache',
    cache,
    ...COMMON,
  ]);
  if (req.method === 'HEAD') res.end();
  else res.end(answer.body, 'latin1');
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
