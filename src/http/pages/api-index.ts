import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../contract/version.ts';

/** Answers at the base path of the API with where to go on. */
export function registerApiIndex(api: FastifyInstance): void {
  api.get('/', { schema: { hide: true } }, async () => ({
    name: 'Kith',
    version: VERSION,
    description: 'Read-only lookups on the social graph of the Ethereum Follow Protocol.',
    documentation: '/docs',
    openapi: '/openapi.json',
    ...(api.hasRoute({ method: 'GET', url: '/llms.txt' }) ? { llms: '/llms.txt' } : {}),
    status: '/status',
    example: `${api.prefix}/users/ada.eth/details`,
  }));
}
