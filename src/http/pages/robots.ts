import type { FastifyInstance } from 'fastify';

const ROBOTS = 'User-agent: *\nDisallow: /api/\n';

/** Search engines may read the pages and their pictures, but not the whole graph by the API. */
export function registerRobots(app: FastifyInstance): void {
  app.get('/robots.txt', { schema: { hide: true } }, async (_request, reply) => reply.type('text/plain').send(ROBOTS));
}
