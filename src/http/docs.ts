import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../contract/version.ts';
import { nameSchemas } from './name-schemas.ts';
import { GROUPS } from './route.ts';

/** Swagger UI sets style attributes, and has its icons in data URLs. */
const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

/** Serves the OpenAPI document at /openapi.json and Swagger UI at /docs, without third-party assets. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kith',
        version: VERSION,
        description: 'Read-only lookups on the social graph of the Ethereum Follow Protocol.',
        license: { name: 'MIT' },
      },
      tags: [
        ...Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
        { name: 'operations', description: 'For operators of the service.' },
      ],
    },
    transformObject: (document) => ('openapiObject' in document ? nameSchemas(document.openapiObject) : {}),
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    uiConfig: { docExpansion: 'list', tryItOutEnabled: true, validatorUrl: null },
    theme: {
      title: 'Kith API',
      // Hides Swagger UI's branding and its input for other APIs.
      css: [{ filename: 'kith.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
