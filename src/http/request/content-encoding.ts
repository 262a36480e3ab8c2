import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';

export type Encoding = 'br' | 'gzip';

/** Smaller bodies fit into a few packets; compressing them does not pay. */
export const MIN_COMPRESSED_BYTES = 4096;

/** In order of preference. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const satisfies (Encoding | 'identity')[];

const negotiator = new Negotiator({ supportedValues: [...ENCODINGS] });

/** Returns the best encoding of an Accept-Encoding header, null for an uncompressed body. */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding | null {
  if (acceptEncoding === undefined) return null;
  // Encodings are case-insensitive. Safe: the negotiator returns one of its supported values or null.
  const encoding = negotiator.negotiate(acceptEncoding.toLowerCase()) as (typeof ENCODINGS)[number] | null;
  return encoding === 'identity' ? null : encoding;
}

/** Higher levels cost several times the CPU for a few percent of the size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const brotli = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? brotli(body, BROTLI) : gzipAsync(body);
}

/** The same for a body of any length. */
export function createCompressor(encoding: Encoding): Transform {
  return encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
}
