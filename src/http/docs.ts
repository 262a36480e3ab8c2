import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** The contract for machines at /openapi.json and for people at /docs; neither needs anything from outside. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kith',
        version: '1',
        description: 'Read-only lookups on the social graph of the Ethereum Follow Protocol.',
        license: { name: 'MIT' },
      },
      tags: [
        { name: 'lookups', description: 'Accounts, followers, notifications, badges and the leaderboard.' },
        { name: 'operations', description: 'For those who run the service.' },
      ],
    },
    transform: ({ schema, url }) => ({ schema: { tags: ['lookups'], ...schema }, url }),
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', tryItOutEnabled: true, validatorUrl: null },
    theme: {
      title: 'Kith: the API',
      // The bar advertises the tool and takes URLs of other APIs.
      css: [{ filename: 'kith.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'));
}
