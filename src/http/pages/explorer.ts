import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { BUILT_PAGES, loadPage } from './built-page.ts';
import { registerCards } from './cards.ts';
import { describePage } from './page-head.ts';
import type { FetchPicture } from './profile-pictures.ts';

/** The explorer ignores a slash at the end of a path. */
const withSlash = (paths: readonly string[]) => paths.flatMap((path) => [path, `${path}/`]);

/** The client-side routes of the explorer. All of them serve the same document. */
const PAGES = ['/', ...withSlash(['/leaderboard', '/network'])];
/** The same for those about an account or list, which have a head of their own. */
const TOPIC_PAGES = {
  account: withSlash(
    ['', '/followers', '/following', '/mutuals', '/activity', '/graph'].map((tab) => `/account/:id${tab}`),
  ),
  list: withSlash(['/list/:id']),
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
  for (const page of PAGES) app.get(page, options, async (_request, reply) => sendDocument(reply));
  for (const kind of ['account', 'list'] as const) {
    for (const page of TOPIC_PAGES[kind]) {
      app.get(page, options, async (request, reply) => {
        // Safe: these paths have this parameter.
        const { id } = request.params as { id: string };
        const { status, head } = await describePage(request, { kind, id }, publicUrl);
        return sendDocument(reply.code(status), head);
      });
    }
  }
  return sendDocument;
}

/** What web/index.html has for all pages. */
const HEAD = /<title>.*<\/title>\s*<meta name="description"[^>]*>/;

/** Sends the document of the explorer, with `head` instead of that of all pages. */
export type SendDocument = (reply: FastifyReply, head?: string | null) => FastifyReply;

/** Null if the explorer is not built. */
function loadDocument(): SendDocument | null {
  const { html, headers } = loadPage('index.html');
  if (html === undefined) return null;
  const [start = '', end = ''] = html.split(HEAD);
  // Without an ETag of modification time and size: npm gives all files of a package the same modification time.
  return (reply, head = null) => reply.headers(headers).send(head === null ? html : start + head + end);
}
