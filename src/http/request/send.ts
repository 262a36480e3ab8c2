import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { CacheState } from '../operations/metrics.ts';
import type { Format } from '../routes/route.ts';
import type { Answer, Answers } from './answers.ts';
import { MIN_COMPRESSED_BYTES, negotiateEncoding } from './content-encoding.ts';
import type { LongBody } from './spools.ts';

/** A client that takes longer keeps its part of the temporary space. */
const MAX_SEND_MS = 120_000;

export const MEDIA_TYPES = { json: 'application/json', svg: 'image/svg+xml' } as const;

function headersOf(format: Format, state: CacheState): Record<string, string> {
  return {
    ...(format === 'redirect' ? {} : { 'content-type': `${MEDIA_TYPES[format]}; charset=utf-8` }),
    vary: 'Accept-Encoding',
    ...(state === 'NONE' ? { 'cache-control': 'no-store' } : { 'cache-control': 'no-cache', 'x-cache': state }),
  };
}

/**
 * Sets the status and the headers of an answer, and returns what is sent: nothing to a client that has the body, else the
 * body in an encoding that the client accepts.
 */
export function prepare(reply: FastifyReply, { route, body, link, state }: Answer, compress: Answers['compress']) {
  const { format = 'json' } = route;
  if (link !== null) reply.header('link', link);
  if (!('etag' in body)) return prepareLong(reply.headers(headersOf(format, state)), body);
  if (format === 'redirect') {
    reply.code(302).headers({ ...headersOf(format, state), location: body.body.toString() });
    return undefined;
  }
  const { headers } = reply.request;
  const encoding = body.body.length > MIN_COMPRESSED_BYTES ? negotiateEncoding(headers['accept-encoding']) : null;
  if (state !== 'NONE') {
    // A compressed body has the weak form of the ETag, so a tag of either form revalidates both.
    reply.header('etag', encoding === null ? body.etag : `W/${body.etag}`);
    if (matchesEtag(headers['if-none-match'], body.etag)) {
      reply.code(304).headers(headersOf('redirect', state));
      return undefined;
    }
  }
  reply.headers(headersOf(format, state));
  if (encoding === null) return body.body;
  return compress(body, encoding).then((compressed) => {
    reply.header('content-encoding', encoding);
    return compressed;
  });
}

/** If-None-Match uses weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** The same for a long body, which is sent as fast as its client reads, for two minutes at most. */
export function prepareLong(reply: FastifyReply, { encoding, spooled }: LongBody): Readable {
  if (encoding !== null) reply.header('content-encoding', encoding);
  // Without a length, which is not known before the body.
  if (spooled === null) return Readable.from([]);
  const timer = setTimeout(() => reply.raw.destroy(), MAX_SEND_MS);
  const body = spooled.open().once('close', () => clearTimeout(timer));
  reply.header('content-length', spooled.bytes);
  return body;
}
