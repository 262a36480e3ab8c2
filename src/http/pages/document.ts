import { existsSync, readFileSync } from 'node:fs';
import type { FastifyReply } from 'fastify';

/** Avatars and headers are URLs that users set, so images may come from any host. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cache-control': 'no-cache',
  'content-type': 'text/html; charset=utf-8',
};

/** What web/index.html has for all pages. */
const HEAD = /<title>.*<\/title>\s*<meta name="description"[^>]*>/;

/** Sends the document of the explorer, with `head` instead of that of all pages. */
export type SendDocument = (reply: FastifyReply, head?: string | null) => FastifyReply;

/** Null if the explorer is not built. */
export function loadDocument(file: string): SendDocument | null {
  if (!existsSync(file)) return null;
  const html = readFileSync(file, 'utf8');
  const [start = '', end = ''] = html.split(HEAD);
  // Without an ETag of modification time and size: npm gives all files of a package the same modification time.
  return (reply, head = null) => reply.headers(HEADERS).send(head === null ? html : start + head + end);
}
