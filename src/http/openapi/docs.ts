import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../contract/version.ts';
import { GROUPS } from '../routes/route.ts';
import { completeDocument } from './document.ts';

/** Swagger UI sets style attributes, and has its icons in data URLs. */
const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

const DESCRIPTION = `Read-only lookups on the social graph of the [Ethereum Follow Protocol](https://docs.efp.app).

- An account is an address in any letter case, or an ENS name. Every well-formed address is an account.
- Absent text is an empty string. Addresses in answers are lower case. Times are ISO 8601 in UTC.
- Ranks, and the counts of the leaderboard and of the whole graph, are integers as text.
- Parameters are validated strictly. An empty value counts as absent, and unknown parameters are ignored.
- Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`.

Examples are of the demo graph.`;

/** The part of Immutable.js that Swagger UI passes to `opsFilter`. */
interface Operation {
  get(key: 'path' | 'method'): string;
  getIn(path: readonly string[], absent: string): string;
}
interface Tag {
  update(key: 'operations', change: (operations: readonly Operation[]) => readonly Operation[]): Tag;
  get(key: 'operations'): { readonly size: number };
}
interface Tags {
  map(change: (tag: Tag) => Tag): Tags;
  filter(accept: (tag: Tag) => boolean): Tags;
}

/** Runs in the browser, so it refers to nothing outside. Swagger UI itself searches the names of groups only. */
function searchOperations() {
  const opsFilter = (tags: Tags, phrase: string): Tags => {
    const words = phrase.toLowerCase().split(/\s+/);
    const matches = (one: Operation) => {
      const text = `${one.get('method')} ${one.get('path')} ${one.getIn(['operation', 'summary'], '')}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    return tags
      .map((tag) => tag.update('operations', (operations) => operations.filter(matches)))
      .filter((tag) => tag.get('operations').size > 0);
  };
  return { fn: { opsFilter } };
}

/** The document of Swagger UI has no place for these. */
const SCRIPT = `document.head.insertAdjacentHTML(
  'beforeend', '<meta name="viewport" content="width=device-width, initial-scale=1">');
document.body.insertAdjacentHTML('afterbegin', '<nav aria-label="Pages"><a href="/">← Kith</a></nav>');
document.getElementById('swagger-ui').role = 'main';
new MutationObserver((_, observer) => {
  const field = document.querySelector('.operation-filter-input');
  if (field === null) return;
  field.placeholder = 'Search operations';
  field.setAttribute('aria-label', 'Search operations');
  observer.disconnect();
}).observe(document.body, { childList: true, subtree: true });
`;

const STYLE = `body > nav { padding: 12px 20px; background: #0a6b61; font: 600 16px system-ui, sans-serif }
body > nav a { color: #fff }
.swagger-ui .scheme-container { display: none }
.swagger-ui .filter-container .operation-filter-input { width: 100%; max-width: none }
.swagger-ui .opblock-summary-path, .swagger-ui .markdown code { overflow-wrap: anywhere }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px }
  .swagger-ui .opblock-summary { flex-wrap: wrap }
  .swagger-ui .opblock-summary-path { max-width: 100% }
  .swagger-ui .opblock-body, .swagger-ui .model-box, .swagger-ui .parameters-container { overflow-x: auto }
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 20px }
  .swagger-ui .opblock-tag small { flex-basis: 100%; padding: 0 }
}
`;

/**
 * Serves the OpenAPI document at /openapi.json, and at /docs Swagger UI without third-party assets, with a link to the
 * explorer, a search for operations, and a layout for phones.
 */
export async function registerDocs(app: FastifyInstance): Promise<void> {
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
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    uiConfig: {
      docExpansion: 'list',
      filter: true,
      tryItOutEnabled: true,
      validatorUrl: null,
      // Without the bar that has an input for other APIs.
      layout: 'BaseLayout',
      plugins: [searchOperations],
    },
    theme: {
      title: 'Kith API',
      js: [{ filename: 'kith.js', content: SCRIPT }],
      css: [{ filename: 'kith.css', content: STYLE }],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
