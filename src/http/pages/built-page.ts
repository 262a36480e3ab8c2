import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Built from web/ by `npm run build`; the same for the sources and the compiled program. */
export const BUILT_PAGES = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

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

/** A page with the headers it is sent with. `html` is undefined if the pages are not built. */
export function loadPage(name: string): { readonly html: string | undefined; readonly headers: typeof HEADERS } {
  const file = `${BUILT_PAGES}${name}`;
  return { html: existsSync(file) ? readFileSync(file, 'utf8') : undefined, headers: HEADERS };
}
