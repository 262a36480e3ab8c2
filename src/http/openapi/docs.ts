import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../contract/version.ts';
import { GROUPS } from '../routes/route.ts';
import { DOCS_PAGE } from './docs-page.ts';
import { nameComponents } from './name-components.ts';

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

/** Serves the OpenAPI document at /openapi.json and Swagger UI at /docs, without third-party assets. */
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
        { name: 'operations', description: 'For operators of the service.' },
      ],
    },
    transformObject: (document) =>
      'openapiObject' in document ? nameComponents(withPathFirst(document.openapiObject)) : {},
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    ...DOCS_PAGE,
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

/** Lists the parameters of the path before those of the query; @fastify/swagger does the opposite. */
function withPathFirst<D extends object>(document: D): D {
  const isInPath = (parameter: { in: string }) => parameter.in === 'path';
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'parameters'
      ? [...value.filter(isInPath), ...value.filter((one: { in: string }) => !isInPath(one))]
      : value,
  );
}
