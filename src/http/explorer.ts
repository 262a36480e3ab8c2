import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Built from web/ by `npm run build`; the same for the sources and the compiled program. */
const FOLDER = fileURLToPath(new URL('../../dist/web/', import.meta.url));
const INDEX = 'index.html';

/** The client-side routes of the explorer. All of them serve the same document. */
const TABS = ['followers', 'following', 'activity', 'graph'];
const PAGES = [
  '/',
  '/account/:id',
  ...TABS.map((tab) => `/account/:id/${tab}`),
  '/list/:id',
  '/leaderboard',
  '/network',
];

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

/** Serves the explorer. Without it, the first page is the documentation. */
export async function registerExplorer(app: FastifyInstance): Promise<void> {
  const schema = { hide: true };
  if (!existsSync(FOLDER + INDEX)) {
    app.log.warn('the explorer is not built, run "npm run build"');
    app.get('/', { schema }, async (_request, reply) => reply.redirect('/docs'));
    return;
  }
  await app.register(fastifyStatic, {
    root: `${FOLDER}assets/`,
    prefix: '/assets/',
    preCompressed: true,
    // Their names contain a hash of their content.
    immutable: true,
    maxAge: '1y',
    schemaHide: true,
    setHeaders: (response) => response.setHeader('vary', 'Accept-Encoding'),
  });
  // Without an ETag of modification time and size: npm gives all files of a package the same modification time.
  const html = readFileSync(FOLDER + INDEX);
  for (const page of PAGES) {
    app.get(page, { schema, compress: false }, async (_request, reply) =>
      reply
        .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(html),
    );
  }
}
