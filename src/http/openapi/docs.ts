import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../contract/version.ts';
import { loadPage } from '../pages/built-page.ts';
import { matchesEtag } from '../request/response-cache.ts';
import { GROUPS } from '../routes/route.ts';
import { type Document, renderDocs } from './docs-page.ts';
import { completeDocument } from './document.ts';

const DESCRIPTION = `Read-only lookups on the social graph of the [Ethereum Follow Protocol](https://docs.efp.app).

- An account is an address in any letter case, or an ENS name. Every well-formed address is an account.
- Absent text is an empty string. Addresses in answers are lower case. Times are ISO 8601 in UTC.
- Ranks, and the counts of the leaderboard and of the whole graph, are integers as text.
- Parameters are validated strictly. An empty value counts as absent, and unknown parameters are ignored.
- Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`.

Examples are of the demo graph.`;

/** Where `npm start` listens. The script of the page replaces it by its own origin. */
const EXAMPLE_ORIGIN = 'http://127.0.0.1:3000';
/** Where web/docs.html has the documentation. */
const PLACE = '<!-- documentation -->';
/** Without the built page, the documentation has no styles. */
const PLAIN_PAGE = `<!doctype html><html lang="en"><title>Kith API</title><main>${PLACE}</main></html>`;

/** Serves the OpenAPI document at /openapi.json, and at /docs a page that is rendered from it. */
export async function registerDocs(app: FastifyInstance, publicUrl: string | null): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kith',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This service.' }],
      // No operation needs authentication.
      security: [],
      tags: [
        ...Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
        { name: 'events', description: 'What happens, as it is stored.' },
        { name: 'operations', description: 'For operators of the service.' },
      ],
    },
    transformObject: (document) => ('openapiObject' in document ? completeDocument(document.openapiObject) : {}),
  });
  const { html = PLAIN_PAGE, headers } = loadPage('docs.html');
  let page: { readonly html: string; readonly etag: string } | undefined;
  /** Made for the first request: before, the routes are not known. */
  function render() {
    // Safe: it is the document of `completeDocument`.
    const content = renderDocs(app.swagger() as unknown as Document, publicUrl ?? EXAMPLE_ORIGIN);
    const text = html.replace(PLACE, () => content);
    return { html: text, etag: `W/"${createHash('sha1').update(text).digest('base64url')}"` };
  }
  for (const path of ['/docs', '/docs/']) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      page ??= render();
      reply.headers({ ...headers, etag: page.etag });
      const isKnown = matchesEtag(request.headers['if-none-match'], page.etag.slice(2));
      return isKnown ? reply.code(304).send() : reply.send(page.html);
    });
  }
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
