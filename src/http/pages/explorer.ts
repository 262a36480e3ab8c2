import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { BUILT_PAGES, loadPage } from './built-page.ts';
import { registerCards } from './cards.ts';
import { describePage, escapeText } from './page-head.ts';
import type { FetchPicture } from './profile-pictures.ts';

/** The explorer ignores a slash at the end of a path. */
const withSlash = (paths: readonly string[]) => paths.flatMap((path) => [path, `${path}/`]);

/** The client-side routes of the explorer, with the first request of each. All of them serve the same document. */
const PAGES = [
  ['/', '/api/v1/leaderboard/ranked?sort=followers&direction=desc&limit=5'],
  ['/leaderboard', '/api/v1/leaderboard/ranked?sort=mutuals&direction=desc&limit=50'],
  ['/network', '/status'],
] as const;
/** The same for those about an account or list, which have a head of their own. */
const TOPIC_PAGES = {
  account: withSlash(
    ['', '/followers', '/following', '/mutuals', '/activity', '/graph'].map((tab) => `/account/:id${tab}`),
  ),
  list: withSlash(['/list/:id']),
};

/** As the explorer writes their URLs, which the browser compares. */
const FIRST_REQUESTS = {
  account: (id: string) => `/api/v1/users/${encodeURIComponent(id).replaceAll('%2C', ',')}/details`,
  list: (id: string) => `/api/v1/lists/${encodeURIComponent(id.replace(/^0+(?=\d)/, '')).replaceAll('%2C', ',')}`,
};

const ROBOTS = 'User-agent: *\nDisallow: /api/\n';

export interface ExplorerOptions {
  /** The origin of the links in previews; null if it is not known. */
  readonly publicUrl: string | null;
  /** For the pictures in previews; null if only those in `data:` URLs are shown. */
  readonly fetchPicture: FetchPicture | null;
}

/** Serves the explorer. Without it, the first page is the documentation. Returns null then. */
export async function registerExplorer(
  app: FastifyInstance,
  { publicUrl, fetchPicture }: ExplorerOptions,
): Promise<SendDocument | null> {
  const schema = { hide: true };
  // Search engines may read the pages and their pictures, but not the whole graph by the API.
  app.get('/robots.txt', { schema }, async (_request, reply) => reply.type('text/plain').send(ROBOTS));
  registerCards(app, fetchPicture);
  const sendDocument = loadDocument();
  if (sendDocument === null) {
    app.log.warn('the explorer is not built, run "npm run build"');
    app.get('/', { schema }, async (_request, reply) => reply.redirect('/docs'));
    return null;
  }
  await app.register(fastifyStatic, {
    root: `${BUILT_PAGES}assets/`,
    prefix: '/assets/',
    preCompressed: true,
    // Their names contain a hash of their content.
    immutable: true,
    maxAge: '1y',
    schemaHide: true,
    setHeaders: (response) => response.setHeader('vary', 'Accept-Encoding'),
  });
  const options = { schema, compress: false } as const;
  for (const [page, first] of PAGES) {
    for (const path of page === '/' ? [page] : withSlash([page])) {
      // A query may ask for something else.
      app.get(path, options, async ({ url }, reply) => sendDocument(reply, null, url.includes('?') ? null : first));
    }
  }
  for (const kind of ['account', 'list'] as const) {
    for (const page of TOPIC_PAGES[kind]) {
      app.get(page, options, async (request, reply) => {
        // Safe: these paths have this parameter.
        const { id } = request.params as { id: string };
        const { status, head } = await describePage(request, { kind, id }, publicUrl);
        return sendDocument(reply.code(status), head, FIRST_REQUESTS[kind](id));
      });
    }
  }
  return sendDocument;
}

/** What web/index.html has for all pages. */
const HEAD = /(<title>.*<\/title>\s*<meta name="description"[^>]*>)/;

/**
 * Sends the document of the explorer, with `head` instead of that of all pages. The browser begins with the request to
 * `first` while it still loads the script that needs it.
 */
export type SendDocument = (reply: FastifyReply, head?: string | null, first?: string | null) => FastifyReply;

/** Null if the explorer is not built. */
function loadDocument(): SendDocument | null {
  const { html, headers } = loadPage('index.html');
  if (html === undefined) return null;
  const [start = '', ofAll = '', end = ''] = html.split(HEAD);
  // Without an ETag of modification time and size: npm gives all files of a package the same modification time.
  return (reply, head = null, first = null) => {
    const preload = first && `\n    <link rel="preload" href="${escapeText(first)}" as="fetch" crossorigin />`;
    return reply.headers(headers).send(start + (head ?? ofAll) + (preload ?? '') + end);
  };
}
